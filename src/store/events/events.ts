import type { Insertable, Kysely, Selectable } from 'kysely';
import { countOf, createRevisionClaims, saltRange } from '../accounts/revision.ts';
import { insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { fanOut, type NewEvent } from '../webhooks/fan-out.ts';

/** Something that happened in a workspace. `detail` is JSON. */
export interface EventRecord {
  /** The workspace's revision after the event. Each event of a workspace has a different revision. */
  revision: number;
  type: string;
  at: string;
  /** The person who caused the event. Null if the service caused it, for example by disabling a webhook that fails. */
  by: { userId: string; name: string; via: string } | null;
  prompt: { id: string; name: string } | null;
  detail: string;
}

/** Adds events to the outbox, inside the transaction of the change that they report. */
export type EventWriter = Pick<ReturnType<typeof createOutbox>, 'add'>;

/** Reads the outbox. Events are kept for a limited time, in the order of the workspace's revisions. */
export function createEventStore(db: Kysely<Database>) {
  return {
    /** Lists the events after a revision, oldest first. */
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

    /** Finds the events of the given deliveries. */
    async listByRevision(accountId: string, deliveries: { revision: number }[]): Promise<Map<number, EventRecord>> {
      if (deliveries.length === 0) return new Map();
      const revisions = deliveries.map(({ revision }) => revision);
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('revision', 'in', revisions)
        .execute();
      return new Map(rows.map((row) => [row.revision, toEventRecord(row)]));
    },

    /**
     * Returns whether all events after a revision still exist. This is the case if the event with this revision exists, or if this revision
     * had no event and the event with the next revision exists.
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
 * Writes the events of a transaction that has raised the revision. Each event gets its own revision, so that a reader can continue after
 * any event.
 */
export function createOutbox(accountId: string, raised: { revision: number; salt: number; enabledWebhooks: number }) {
  const revisions = createRevisionClaims(accountId, raised);
  const rows: Insertable<Database['events']>[] = [];
  const sent: NewEvent[] = [];

  return {
    /** Adds an event and returns its revision. A test event is not added to the queues of webhooks. */
    add({ type, at, by, prompt, detail }: Omit<EventRecord, 'revision'>, { isTest = false } = {}): number {
      const revision = revisions.claim();
      if (!isTest) sent.push({ revision, type, at, promptId: prompt?.id ?? null });
      rows.push({
        account_id: accountId,
        revision,
        type,
        at,
        by_account_id: by?.userId,
        by_name: by?.name,
        by_via: by?.via,
        prompt_id: prompt?.id,
        prompt_name: prompt?.name,
        detail,
      });
      return revision;
    },

    /**
     * Stores the events, and adds them to the queues of webhooks. Call it before the commit. Returns whether any webhook is subscribed to
     * them.
     */
    async finish(db: Kysely<Database>): Promise<boolean> {
      await revisions.store(db);
      await insertRows(db, 'events', rows);
      return raised.enabledWebhooks > 0 && sent.length > 0 && fanOut(db, accountId, sent);
    },
  };
}
