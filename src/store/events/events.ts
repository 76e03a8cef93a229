import { type Kysely, sql } from 'kysely';
import { countOf, saltRange } from '../accounts/revision.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';

/** Something that happened in a workspace. `detail` is JSON. */
export interface EventRecord {
  /** The workspace's revision after it. No two events of a workspace have the same. */
  revision: number;
  type: string;
  at: string;
  /** Null for what nobody did, such as a webhook that was disabled. */
  by: { userId: string; name: string; via: string } | null;
  prompt: { id: string; name: string } | null;
  detail: string;
}

/** Adds events to the outbox, inside the transaction of what they tell about. */
export interface EventWriter {
  add(event: Omit<EventRecord, 'revision'>): Promise<void>;
}

/** The outbox: events are kept for a while, in the order of the workspace's revisions. */
export function createEventStore(db: Kysely<Database>) {
  return {
    /** The events after a revision, oldest first. */
    async list(accountId: string, { after, limit }: { after: number; limit: number }): Promise<EventRecord[]> {
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('revision', '>', after)
        .orderBy('revision')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        revision: row.revision,
        type: row.type,
        at: row.at,
        by: row.by_account_id === null ? null : { userId: row.by_account_id, name: row.by_name ?? '', via: row.by_via ?? '' },
        prompt: row.prompt_id === null ? null : { id: row.prompt_id, name: row.prompt_name ?? '' },
        detail: row.detail,
      }));
    },

    /**
     * Whether all that happened after a revision is still there: the event with this revision is, or the revision had none and the
     * next one's is.
     */
    async isComplete(accountId: string, revision: number): Promise<boolean> {
      const next = await db
        .selectFrom('events')
        .select('revision')
        .where('account_id', '=', accountId)
        .where('revision', '>=', countOf(revision) * saltRange)
        .orderBy('revision')
        .limit(1)
        .executeTakeFirst();
      return next !== undefined && (next.revision === revision || countOf(next.revision) === countOf(revision) + 1);
    },

    /** Deletes a batch and returns its size. */
    async deleteBefore(time: Date): Promise<number> {
      return deleteBatch(db, { table: 'events', key: ['account_id', 'revision'], where: sql`at < ${time.toISOString()}` });
    },
  };
}

/**
 * Writes the events of a transaction that has raised the revision. Each event has a revision of its own, so that a reader can continue
 * after any of them: `claimRevision` returns the next one.
 */
export function createEventWriter(db: Kysely<Database>, accountId: string, claimRevision: () => number): EventWriter {
  return {
    async add({ type, at, by, prompt, detail }) {
      await db
        .insertInto('events')
        .values({
          account_id: accountId,
          revision: claimRevision(),
          type,
          at,
          by_account_id: by?.userId ?? null,
          by_name: by?.name ?? null,
          by_via: by?.via ?? null,
          prompt_id: prompt?.id ?? null,
          prompt_name: prompt?.name ?? null,
          detail,
        })
        .execute();
    },
  };
}
