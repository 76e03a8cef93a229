import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deleteBatch } from './delete-batch.ts';
import type { Database } from './tables.ts';

/** What an account keeps the newest rows of. */
export const keptKinds = ['events', 'history', 'activity'] as const;
export type KeptKind = (typeof keptKinds)[number];

/** The rows of an account, or the history of one prompt. */
export type KeptRows = { kind: 'events' | 'activity'; accountId: string } | { kind: 'history'; accountId: string; promptId: string };

/** The column that sorts the rows by time, which is the last one of the primary key. */
export type RowKey = string | number;

const tables = { events: 'events', history: 'prompt_events', activity: 'account_events' } as const;

/** Finds and deletes what an account has beyond the rows that it keeps. */
export function createSurplusStore(db: Kysely<Database>) {
  return {
    /** A page of accounts, with the kinds of which each has at least so many rows, and the number of its prompts. */
    async listAccounts(afterId: string, { limit, rows }: { limit: number; rows: number }) {
      const marks = keptKinds.map((kind) => {
        const ofAccount = sql`from ${sql.table(tables[kind])} where account_id = accounts.id`;
        return sql`(select 1 ${ofAccount} limit 1 offset ${rows - 1}) as ${sql.ref(kind)}`;
      });
      const page = sql<{ id: string; prompts: number } & Record<KeptKind, number | null>>`select id, prompt_count as prompts,
        ${sql.join(marks)} from accounts where id > ${afterId} order by id limit ${limit}`;
      const { rows: found } = await page.execute(db);
      return found.map(({ id, prompts, ...has }) => ({ id, prompts, kinds: keptKinds.filter((kind) => has[kind] !== null) }));
    },

    /** Goes on by so many rows, from the newest or from the one `before`. Returns undefined if there are fewer. */
    async walk(kept: KeptRows, { before, rows }: { before: RowKey | undefined; rows: number }): Promise<RowKey | undefined> {
      const { table, column, where } = resolve(kept);
      const older = before === undefined ? sql`` : sql`and ${column} < ${before}`;
      const { rows: found } = await sql<{ key: RowKey }>`select ${column} as key from ${table} where ${where} ${older}
        order by ${column} desc limit 1 offset ${rows - 1}`.execute(db);
      return found[0]?.key;
    },

    /** Goes on by so many entries of history, of one prompt after the other. Returns undefined if there are fewer. */
    async walkHistory(accountId: string, after: { promptId: string; id: string }, rows: number) {
      return db
        .selectFrom('prompt_events')
        .select(['prompt_id as promptId', 'id'])
        .where('account_id', '=', accountId)
        .where((eb) => eb(eb.refTuple('prompt_id', 'id'), '>', eb.tuple(after.promptId, after.id)))
        .orderBy('prompt_id')
        .orderBy('id')
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst();
    },

    /** The next prompt of a workspace, also in the bin. */
    async findPrompt(accountId: string, afterId: string): Promise<string | undefined> {
      const ids = db.selectFrom('prompts').select('id').where('account_id', '=', accountId).where('id', '>', afterId);
      return (await ids.orderBy('id').limit(1).executeTakeFirst())?.id;
    },

    /** Deletes a batch of rows, up to and with the one that is `last`. Returns its size. */
    async delete(kept: KeptRows, last: RowKey): Promise<number> {
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
        // Also of webhooks that are no more.
        const next = await db
          .selectFrom('webhook_deliveries')
          .select('webhook_id')
          .where('account_id', '=', accountId)
          .where('webhook_id', '>', webhookId)
          .orderBy('webhook_id')
          .limit(1)
          .executeTakeFirst();
        if (!next) return 0;
        webhookId = next.webhook_id;
        const where = sql`account_id = ${accountId} and webhook_id = ${webhookId} and revision <= ${last}`;
        const deleted = await deleteBatch(db, { table: 'webhook_deliveries', key: ['account_id', 'webhook_id', 'revision'], where });
        if (deleted > 0) return deleted;
      }
    },
  };
}

function resolve(kept: KeptRows): { table: RawBuilder<unknown>; column: RawBuilder<unknown>; where: RawBuilder<unknown> } {
  const ofPrompt = kept.kind === 'history' ? sql`and prompt_id = ${kept.promptId}` : sql``;
  return {
    table: sql.table(tables[kept.kind]),
    column: sql.ref(kept.kind === 'events' ? 'revision' : 'id'),
    where: sql`account_id = ${kept.accountId} ${ofPrompt}`,
  };
}
