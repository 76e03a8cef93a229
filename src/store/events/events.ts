import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { countOf, createRevisionClaims, saltRange } from '../accounts/revision.ts';
import { type CollectedRows, defineRowWrite } from '../collected-rows.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { fanOut, type NewEvent } from '../webhooks/fan-out.ts';

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
  /** Returns the revision of the event. One that tests a webhook is not sent to all of them. */
  add(event: Omit<EventRecord, 'revision'>, options?: { isTest?: boolean }): number;
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
      return rows.map(toEventRecord);
    },

    async listByRevision(accountId: string, revisions: number[]): Promise<Map<number, EventRecord>> {
      if (revisions.length === 0) return new Map();
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('revision', 'in', revisions)
        .execute();
      return new Map(rows.map((row) => [row.revision, toEventRecord(row)]));
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

function toEventRecord(row: Selectable<Database['events']>): EventRecord {
  return {
    revision: row.revision,
    type: row.type,
    at: row.at,
    by: row.by_account_id === null ? null : { userId: row.by_account_id, name: row.by_name ?? '', via: row.by_via ?? '' },
    prompt: row.prompt_id === null ? null : { id: row.prompt_id, name: row.prompt_name ?? '' },
    detail: row.detail,
  };
}

/**
 * Writes the events of a transaction that has raised the revision. Each event has a revision of its own, so that a reader can continue
 * after any of them.
 */
interface Outbox extends EventWriter {
  /**
   * Stores how far the revisions have come, and puts the events into the queues of webhooks. Call it before the collected rows are
   * written. Returns whether any webhook wants them.
   */
  finish(db: Kysely<Database>): Promise<boolean>;
}

export function createOutbox(
  accountId: string,
  raised: { revision: number; salt: number; enabledWebhooks: number },
  rows: CollectedRows,
): Outbox {
  const revisions = createRevisionClaims(accountId, raised);
  const added: NewEvent[] = [];

  return {
    add({ type, at, by, prompt, detail }, { isTest = false } = {}) {
      const revision = revisions.claim();
      if (!isTest) added.push({ revision, type, at, promptId: prompt?.id ?? null });
      rows.add(eventRows, {
        account_id: accountId,
        revision,
        type,
        at,
        by_account_id: by?.userId ?? null,
        by_name: by?.name ?? null,
        by_via: by?.via ?? null,
        prompt_id: prompt?.id ?? null,
        prompt_name: prompt?.name ?? null,
        detail,
      });
      return revision;
    },

    async finish(db) {
      await revisions.store(db);
      return raised.enabledWebhooks > 0 && added.length > 0 && fanOut(db, accountId, added, rows);
    },
  };
}

type EventRow = Insertable<Database['events']> &
  Record<'by_account_id' | 'by_name' | 'by_via' | 'prompt_id' | 'prompt_name', string | null>;

const eventRows = defineRowWrite<EventRow>(
  {
    account_id: '',
    revision: 0,
    type: '',
    at: '',
    by_account_id: null,
    by_name: null,
    by_via: null,
    prompt_id: null,
    prompt_name: null,
    detail: '',
  },
  (db, rows) => db.insertInto('events').values(rows),
);
