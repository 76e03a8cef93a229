import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** The number of attempts without a wait, and the waits after further attempts. */
export interface ThrottleRule {
  /** The number of the attempt that starts the first wait. */
  freeAttempts: number;
  /** The waits after the last free attempt and after each further attempt. The last wait is repeated. */
  waitsMs: number[];
  /** The time after the last attempt at which the count restarts. */
  forgetAfterMs: number;
}

interface Throttle extends ThrottleRule {
  name: string;
}

/** A throttle after an attempt was counted. `blockedUntil` is empty unless the attempt started a wait. */
interface CountedThrottle {
  name: string;
  blockedUntil: string;
}

/** Counters of attempts, kept in the database so that all instances share them. */
export function createThrottleStore(db: Kysely<Database>) {
  return {
    /** Returns the time at which the longest wait of these throttles ends, or undefined if there is no wait. */
    async findBlockedUntil(names: string[]): Promise<Date | undefined> {
      const row = await db
        .selectFrom('throttles')
        .select('blocked_until')
        .where('name', 'in', names)
        .where('blocked_until', '>', new Date().toISOString())
        .orderBy('blocked_until', 'desc')
        .executeTakeFirst();
      return row && new Date(row.blocked_until);
    },

    /**
     * Counts an attempt in all of these throttles, and starts the resulting waits. One statement per throttle counts and checks, so that
     * concurrent attempts cannot all pass. If one of the throttles has a wait, counts nothing and returns undefined.
     */
    async count(throttles: Throttle[]): Promise<CountedThrottle[] | undefined> {
      try {
        return await runTransaction(db, async (transaction) => {
          const counted: CountedThrottle[] = [];
          for (const throttle of throttles) counted.push(await countOne(transaction, throttle));
          return counted;
        });
      } catch (err) {
        if (err instanceof Blocked) return undefined;
        throw err;
      }
    },

    /**
     * Records a success. Clears the throttles in `cleared`. In the throttles in `takenBack`, only subtracts this attempt and ends the wait
     * that it started.
     */
    async settle({ cleared, takenBack }: { cleared: string[]; takenBack: CountedThrottle[] }): Promise<void> {
      await runTransaction(db, async (transaction) => {
        if (cleared.length > 0) await transaction.deleteFrom('throttles').where('name', 'in', cleared).execute();
        for (const { name, blockedUntil } of takenBack) {
          await transaction.deleteFrom('throttles').where('name', '=', name).where('failures', '<=', 1).execute();
          await transaction
            .updateTable('throttles')
            .set({
              failures: sql<number>`throttles.failures - 1`,
              blocked_until: sql<string>`case when throttles.blocked_until = ${blockedUntil} then '' else throttles.blocked_until end`,
            })
            .where('name', '=', name)
            .execute();
        }
      });
    },

    /** Prolongs the waits that an attempt started. */
    async prolong(counted: CountedThrottle[], byMs: number): Promise<void> {
      await runTransaction(db, async (transaction) => {
        for (const { name, blockedUntil } of counted) {
          await transaction
            .updateTable('throttles')
            .set({ blocked_until: new Date(Date.parse(blockedUntil) + byMs).toISOString() })
            .where('name', '=', name)
            .where('blocked_until', '=', blockedUntil)
            .execute();
        }
      });
    },
  };
}

/** The error that is thrown to roll back the transaction. */
class Blocked extends Error {}

async function countOne(transaction: Transaction<Database>, throttle: Throttle): Promise<CountedThrottle> {
  const now = new Date();
  const forgetBefore = new Date(now.getTime() - throttle.forgetAfterMs).toISOString();
  const afterFirst = throttle.freeAttempts > 1 ? '' : new Date(now.getTime() + (throttle.waitsMs[0] ?? 0)).toISOString();
  const row = await transaction
    .insertInto('throttles')
    .values({ name: throttle.name, failures: 1, blocked_until: afterFirst, updated_at: now.toISOString() })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          failures: sql<number>`case when throttles.updated_at < ${forgetBefore} then 1 else throttles.failures + 1 end`,
          blocked_until: sql<string>`case when throttles.updated_at < ${forgetBefore} then ${afterFirst} ${blocksAfter(throttle, now)} else '' end`,
          updated_at: now.toISOString(),
        })
        .where('throttles.blocked_until', '<=', now.toISOString()),
    )
    .returning(['name', 'blocked_until as blockedUntil'])
    .executeTakeFirst();
  if (!row) throw new Blocked();
  return row;
}

/** Returns the branches of a CASE that yields the end of the wait after the next attempt. The longest wait comes first. */
function blocksAfter({ freeAttempts, waitsMs }: ThrottleRule, now: Date) {
  const branches = waitsMs.map((waitMs, index) => {
    const until = new Date(now.getTime() + waitMs).toISOString();
    return sql`when throttles.failures + 1 >= ${freeAttempts + index} then ${until}`;
  });
  return sql.join(branches.reverse(), sql` `);
}
