import { type Kysely, type RawBuilder, sql } from 'kysely';
import { batchRows, deleteBatch } from './delete-batch.ts';
import type { Database } from './tables.ts';

/** What an account keeps the newest rows of. */
const keptKinds = ['events', 'deliveries', 'history', 'activity'] as const;
export type KeptKind = (typeof keptKinds)[number];

/** The rows of an account, the history of one prompt, or the deliveries to one webhook. */
export type KeptRows =
  | { kind: 'events' | 'activity'; accountId: string }
  | { kind: 'history'; accountId: string; promptId: string }
  | KeptDeliveries;
export type KeptDeliveries = { kind: 'deliveries'; accountId: string; webhookId: string };

/** The column that sorts the rows by time, which is the last one of the primary key. */
type RowKey = string | number;

const tables = { events: 'events', deliveries: 'webhook_deliveries', history: 'prompt_events', activity: 'account_events' } as const;

/** Finds and deletes what an account has beyond the rows that it keeps. Finding it passes over many rows, with the reader. */
export function createSurplusStore(db: Kysely<Database>, reader: Kysely<Database>) {
  async function findWebhook(accountId: string, afterId: string): Promise<string | undefined> {
    const ids = db.selectFrom('webhook_deliveries').select('webhook_id').where('account_id', '=', accountId);
    return (await ids.where('webhook_id', '>', afterId).orderBy('webhook_id').limit(1).executeTakeFirst())?.webhook_id;
  }

  return {
    /** A page of accounts, with the kinds of which each has at least so many rows, and the number of its prompts. */
    async listAccounts(afterId: string, { limit, rows }: { limit: number; rows: number }) {
      const marks = keptKinds.map((kind) => {
        const ofAccount = sql`from ${sql.table(tables[kind])} where account_id = accounts.id`;
        return sql`(select 1 ${ofAccount} limit 1 offset ${rows - 1}) as ${sql.ref(kind)}`;
      });
      const page = sql<{ id: string; prompts: number } & Record<KeptKind, number | null>>`select id, prompt_count as prompts,
        ${sql.join(marks)} from accounts where id > ${afterId} order by id limit ${limit}`;
      const { rows: found } = await page.execute(reader);
      return found.map(({ id, prompts, ...has }) => ({ id, prompts, kinds: keptKinds.filter((kind) => has[kind] !== null) }));
    },

    /** The newest row after those that are kept. Undefined if there are no more. */
    async findFirst(kept: KeptRows, keptRows: number): Promise<RowKey | undefined> {
      const { table, column, where } = resolve(kept);
      const { rows: found } = await sql<{ key: RowKey }>`select ${column} as key from ${table} where ${where}
        order by ${column} desc limit 1 offset ${keptRows}`.execute(reader);
      return found[0]?.key;
    },

    /** Whether a workspace has more entries of history than that, of all prompts together. */
    async hasMoreHistory(accountId: string, entries: number): Promise<boolean> {
      const rest = reader.selectFrom('prompt_events').select('id').where('account_id', '=', accountId);
      return (await rest.limit(1).offset(entries).executeTakeFirst()) !== undefined;
    },

    /** The next prompt of a workspace, also in the bin. */
    async findPrompt(accountId: string, afterId: string): Promise<string | undefined> {
      const ids = db.selectFrom('prompts').select('id').where('account_id', '=', accountId).where('id', '>', afterId);
      return (await ids.orderBy('id').limit(1).executeTakeFirst())?.id;
    },

    /** Deletes a batch of rows, up to and with the one that is `last`. Returns its size. */
    async delete(kept: Exclude<KeptRows, KeptDeliveries>, last: RowKey): Promise<number> {
      if (kept.kind === 'history') {
        const { promptId, accountId } = kept;
        const where = sql`account_id = ${accountId} and prompt_id = ${promptId} and id <= ${last}`;
        return deleteBatch(db, { table: 'prompt_events', key: ['account_id', 'prompt_id', 'id'], where });
      }
      const { where, column } = resolve(kept);
      const upToLast = sql`${where} and ${column} <= ${last}`;
      return kept.kind === 'events'
        ? deleteBatch(db, { table: 'events', key: ['account_id', 'revision'], where: upToLast })
        : deleteBatch(db, { table: 'account_events', key: ['account_id', 'id'], where: upToLast });
    },

    /** Deletes a batch of deliveries of events, up to and with the one that is `last`. Returns its size. */
    async deleteDeliveries(accountId: string, last: RowKey): Promise<number> {
      for (let webhookId = ''; ; ) {
        const next = await findWebhook(accountId, webhookId);
        if (next === undefined) return 0;
        webhookId = next;
        const where = sql`account_id = ${accountId} and webhook_id = ${webhookId} and revision <= ${last}`;
        const deleted = await deleteBatch(db, { table: 'webhook_deliveries', key: ['account_id', 'webhook_id', 'revision'], where });
        if (deleted > 0) return deleted;
      }
    },

    /** Finds the next webhook of a workspace that has deliveries, including deleted webhooks. */
    findWebhook,

    /** The webhooks that a workspace has. */
    async listWebhooks(accountId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('webhooks').select('id').where('account_id', '=', accountId).execute();
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * Reads a batch of deliveries to a webhook, after the revision `after` and up to `last`, and deletes those that are not waiting to be
     * sent. Returns where the batch ended, or undefined if it was the last one.
     */
    async deleteFinished({ accountId, webhookId }: KeptDeliveries, { after, last }: { after: number; last: RowKey }) {
      const rest = sql<boolean>`account_id = ${accountId} and webhook_id = ${webhookId} and revision > ${after} and revision <= ${last}`;
      const { rows } = await sql<{ revision: number }>`select revision from webhook_deliveries where ${rest}
        order by revision limit 1 offset ${batchRows - 1}`.execute(db);
      const end = rows[0]?.revision;
      await sql`delete from webhook_deliveries where ${rest} and revision <= ${end ?? last} and queue is null`.execute(db);
      return end;
    },
  };
}

function resolve(kept: KeptRows): { table: RawBuilder<unknown>; column: RawBuilder<unknown>; where: RawBuilder<unknown> } {
  const ofOne =
    kept.kind === 'history'
      ? sql`and prompt_id = ${kept.promptId}`
      : kept.kind === 'deliveries'
        ? sql`and webhook_id = ${kept.webhookId}`
        : sql``;
  return {
    table: sql.table(tables[kept.kind]),
    column: sql.ref(kept.kind === 'events' || kept.kind === 'deliveries' ? 'revision' : 'id'),
    where: sql`account_id = ${kept.accountId} ${ofOne}`,
  };
}
