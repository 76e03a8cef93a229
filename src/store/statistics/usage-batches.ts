import { type Compilable, CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** What an instance noted down since its last write. Written as a whole or not at all. */
export interface UsageBatch {
  /** The instance, and the number of this recording of it: no recording is ever written twice. */
  writer: string;
  sequence: number;
  calls: CallCount[];
  prompts: PromptCount[];
  keyUses: { accountId: string; keySerial: number; lastUsedAt: string }[];
  events: AccountEvent[];
}

export interface CallCount {
  accountId: string;
  time: string;
  route: string;
  status: number;
  bucket: number;
  calls: number;
}

export interface PromptCount {
  accountId: string;
  time: string;
  promptId: string;
  version: number;
  label: string;
  status: number;
  calls: number;
}

export interface AccountEvent {
  accountId: string;
  id: string;
  type: string;
  at: string;
  address: string | null;
  userAgent: string | null;
}

export function createUsageBatchStore(db: Kysely<Database>) {
  const run = createRepeater(db);

  return {
    /**
     * Adds a recording to what is stored. When the outcome of an earlier try is unknown, try again: if that one was
     * committed after all, the sequence says so and nothing is added.
     */
    async write({ writer, sequence, calls, prompts, keyUses, events }: UsageBatch): Promise<void> {
      await runTransaction(db, async (transaction) => {
        if (!(await claimSequence(transaction, writer, sequence))) return;
        const accountIds = new Set([...keyUses, ...events].map(({ accountId }) => accountId));
        const found = await run<{ id: string }>(
          transaction,
          findAccounts,
          [...accountIds].map((accountId) => [accountId]),
        );
        const existing = new Set(found.map(({ id }) => id));
        const rowsOf = <Count extends { accountId: string }>(counts: Count[], toRow: (count: Count) => Row) =>
          counts.filter(({ accountId }) => existing.has(accountId)).map(toRow);
        await run(
          transaction,
          addCalls,
          rowsOf(calls, (call) => [call.accountId, call.time, call.route, call.status, call.bucket, call.calls]),
        );
        await run(
          transaction,
          addPrompts,
          rowsOf(prompts, (prompt) => [
            prompt.accountId,
            prompt.time,
            prompt.promptId,
            prompt.version,
            prompt.label,
            prompt.status,
            prompt.calls,
          ]),
        );
        await run(
          transaction,
          noteKeyUses,
          rowsOf(keyUses, ({ accountId, keySerial, lastUsedAt }) => [accountId, keySerial, lastUsedAt]),
        );
        await run(
          transaction,
          addEvents,
          rowsOf(events, ({ accountId, id, type, at, address, userAgent }) => [accountId, id, type, at, address, userAgent]),
        );
      });
    },

    /** Forgets instances that are long gone. */
    async deleteWritersUnusedSince(time: Date): Promise<void> {
      await db.deleteFrom('statistics_writers').where('updated_at', '<', time.toISOString()).execute();
    },
  };
}

/** False when this recording is in the database already. Waits for a try of ours that still hangs on another connection. */
async function claimSequence(transaction: Transaction<Database>, writer: string, sequence: number): Promise<boolean> {
  const updated_at = new Date().toISOString();
  const result = await transaction
    .insertInto('statistics_writers')
    .values({ id: writer, sequence, updated_at })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ sequence, updated_at }).where('statistics_writers.sequence', '<', sequence),
    )
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** A row's values, in the order in which the statement names its columns. */
type Row = (string | number | null)[];

/** A statement over a number of rows. What the rows hold does not matter here, only how many there are. */
type Statement = (db: Kysely<Database>, rows: number) => Compilable;

/** Accounts may have been deleted since they called; one that goes at this very moment fails the try, and the next leaves it out. */
const findAccounts: Statement = (db, rows) => db.selectFrom('accounts').select('id').where('id', 'in', repeat(rows, ''));

const addCalls: Statement = (db, rows) =>
  db
    .insertInto('call_statistics')
    .values(repeat(rows, { account_id: '', time: '', route: '', status: 0, bucket: 0, calls: 0 }))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'route', 'status', 'bucket'])
        .doUpdateSet({ calls: sql<number>`call_statistics.calls + excluded.calls` }),
    );

const addPrompts: Statement = (db, rows) =>
  db
    .insertInto('prompt_statistics')
    .values(repeat(rows, { account_id: '', time: '', prompt_id: '', version: 0, label: '', status: 0, calls: 0 }))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'prompt_id', 'version', 'label', 'status'])
        .doUpdateSet({ calls: sql<number>`prompt_statistics.calls + excluded.calls` }),
    );

/** A use of an earlier key that is written late does not undo one of the current key. */
const noteKeyUses: Statement = (db, rows) =>
  db
    .insertInto('key_uses')
    .values(repeat(rows, { account_id: '', key_serial: 0, last_used_at: '' }))
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ key_serial: eb.ref('excluded.key_serial'), last_used_at: eb.ref('excluded.last_used_at') }))
        .where(sql<boolean>`(key_uses.key_serial, key_uses.last_used_at) < (excluded.key_serial, excluded.last_used_at)`),
    );

const addEvents: Statement = (db, rows) =>
  db.insertInto('account_events').values(repeat(rows, { account_id: '', id: '', type: '', at: '', address: '', user_agent: '' }));

// A few fixed sizes give a few statements, each put together and prepared once, where any size would give hundreds.
const chunkSizes = [256, 32, 4, 1];

/**
 * Runs a statement over any number of rows, in chunks. Every second thousands of rows may be written, and building a query of that many
 * values costs more than running it: so each is built once for each size of chunk.
 */
function createRepeater(db: Kysely<Database>) {
  const texts = new Map<Statement, Map<number, string>>();

  function textOf(statement: Statement, size: number): string {
    const sizes = texts.get(statement) ?? new Map<number, string>();
    texts.set(statement, sizes);
    const text = sizes.get(size) ?? statement(db, size).compile().sql;
    sizes.set(size, text);
    return text;
  }

  return async function run<Found>(transaction: Transaction<Database>, statement: Statement, rows: Row[]): Promise<Found[]> {
    const found: Found[] = [];
    for (const chunk of chunks(rows)) {
      const query = CompiledQuery.raw(textOf(statement, chunk.length), chunk.flat());
      found.push(...(await transaction.executeQuery<Found>(query)).rows);
    }
    return found;
  };
}

function* chunks<T>(rows: T[]): Generator<T[]> {
  let start = 0;
  for (const size of chunkSizes) {
    for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
  }
}

function repeat<T>(count: number, value: T): T[] {
  return Array<T>(count).fill(value);
}
