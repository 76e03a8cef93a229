import { type Kysely, sql } from 'kysely';
import { batchRows } from './delete-batch.ts';
import type { Database } from './tables.ts';

/** What an account keeps the newest rows of. `key` sorts the rows by time, and `group` is the column of those that share the number. */
const keptKinds = {
  events: { table: 'events', key: 'revision', group: undefined },
  deliveries: { table: 'webhook_deliveries', key: 'revision', group: 'webhook_id' },
  history: { table: 'prompt_events', key: 'id', group: 'prompt_id' },
  activity: { table: 'account_events', key: 'id', group: undefined },
} as const;
export type KeptKind = keyof typeof keptKinds;
const kindNames = Object.keys(keptKinds) as KeptKind[];

/** The rows of an account, the history of one prompt, or the deliveries to one webhook. */
export interface KeptRows {
  kind: KeptKind;
  accountId: string;
  groupId?: string;
}

type RowKey = string | number;

/** Finds and deletes what an account has beyond the rows that it keeps. Finding it passes over many rows, with the reader. */
export function createExcessRowStore(db: Kysely<Database>, reader: Kysely<Database>) {
  return {
    /** A page of accounts, with the kinds of which each has at least so many rows, and the number of its prompts. */
    async listAccounts(afterId: string, { limit, rows }: { limit: number; rows: number }) {
      const marks = kindNames.map((kind) => {
        const ofAccount = sql`from ${sql.table(keptKinds[kind].table)} where account_id = accounts.id`;
        return sql`(select 1 ${ofAccount} limit 1 offset ${rows - 1}) as ${sql.ref(kind)}`;
      });
      const page = sql<{ id: string; prompts: number } & Record<KeptKind, number | null>>`select id, prompt_count as prompts,
        ${sql.join(marks)} from accounts where id > ${afterId} order by id limit ${limit}`;
      const { rows: found } = await page.execute(reader);
      return found.map(({ id, prompts, ...has }) => ({ id, prompts, kinds: kindNames.filter((kind) => has[kind] !== null) }));
    },

    /** Whether a workspace has more entries of history than that, of all prompts together. */
    async hasMoreHistory(accountId: string, entries: number): Promise<boolean> {
      const rest = reader.selectFrom('prompt_events').select('id').where('account_id', '=', accountId);
      return (await rest.limit(1).offset(entries).executeTakeFirst()) !== undefined;
    },

    /** The next prompt that has a history, or the next webhook that has deliveries, including deleted webhooks. */
    async findGroup(kind: 'history' | 'deliveries', accountId: string, afterId: string): Promise<string | undefined> {
      const { table, group } = keptKinds[kind];
      const { rows } = await sql<{ id: string }>`select ${sql.ref(group)} as id from ${sql.table(table)}
        where account_id = ${accountId} and ${sql.ref(group)} > ${afterId} order by ${sql.ref(group)} limit 1`.execute(db);
      return rows[0]?.id;
    },

    /** The newest row after those that are kept. Undefined if there are no more. */
    async findFirst(rows: KeptRows, keptRows: number): Promise<RowKey | undefined> {
      const { table, key, where } = resolve(rows);
      const { rows: found } = await sql<{ key: RowKey }>`select ${key} as key from ${table} where ${where}
        order by ${key} desc limit 1 offset ${keptRows}`.execute(reader);
      return found[0]?.key;
    },

    /** Deletes a batch of rows, up to and with the one that is `last`. Returns its size. Deliveries that wait are kept, unless told otherwise. */
    async delete(rows: KeptRows, last: RowKey, { withWaiting = false } = {}): Promise<number> {
      const { table, key, where } = resolve(rows);
      const isDone = rows.kind === 'deliveries' && !withWaiting ? sql`and queue is null` : sql``;
      const { rows: found } = await sql<{ key: RowKey }>`select ${key} as key from ${table} where ${where} and ${key} <= ${last} ${isDone}
        order by ${key} limit ${batchRows}`.execute(reader);
      if (found.length === 0) return 0;
      const keys = sql.join(found.map((row) => row.key));
      await sql`delete from ${table} where ${where} and ${key} in (${keys}) ${isDone}`.execute(db);
      return found.length;
    },

    /** The webhooks that a workspace has. */
    async listWebhooks(accountId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('webhooks').select('id').where('account_id', '=', accountId).execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

function resolve({ kind, accountId, groupId }: KeptRows) {
  const { table, key, group } = keptKinds[kind];
  const ofGroup = group === undefined ? sql`` : sql`and ${sql.ref(group)} = ${groupId}`;
  return { table: sql.table(table), key: sql.ref(key), where: sql`account_id = ${accountId} ${ofGroup}` };
}
