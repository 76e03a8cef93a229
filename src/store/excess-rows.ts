import { type Kysely, sql } from 'kysely';
import { batchRows } from './delete-batch.ts';
import type { Database } from './tables.ts';

/**
 * The tables in which an account keeps only the newest rows. `key` sorts the rows by time. Rows with the same value in the `group` column
 * share a limit.
 */
const keptKinds = {
  events: { table: 'events', key: 'revision', group: undefined },
  deliveries: { table: 'webhook_deliveries', key: 'revision', group: 'webhook_id' },
  history: { table: 'prompt_events', key: 'id', group: 'prompt_id' },
  // Activity is limited by type. Otherwise, someone could push out other entries, for example with failed sign-ins or copies of prompts.
  activity: { table: 'account_events', key: 'id', group: 'type' },
} as const;
export type KeptKind = keyof typeof keptKinds;
export type GroupedKind = 'deliveries' | 'history' | 'activity';
const kindNames = Object.keys(keptKinds) as KeptKind[];

/** The rows of an account, the history of one prompt, the deliveries to one webhook, or the activity of one type. */
export interface KeptRows {
  kind: KeptKind;
  accountId: string;
  groupId?: string;
}

type RowKey = string | number;

/** Finds and deletes rows beyond the number that an account keeps. The searches scan many rows, so they use the reader. */
export function createExcessRowStore(db: Kysely<Database>, reader: Kysely<Database>) {
  return {
    /** Lists a page of accounts, each with the number of its prompts and with the kinds of which it has at least `rows` rows. */
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

    /** Returns whether all prompts of a workspace together have more history entries than the given number. */
    async hasMoreHistory(accountId: string, entries: number): Promise<boolean> {
      const rest = reader.selectFrom('prompt_events').select('id').where('account_id', '=', accountId);
      return (await rest.limit(1).offset(entries).executeTakeFirst()) !== undefined;
    },

    /**
     * Finds the next group that has rows: a prompt with a history, a webhook with deliveries (including deleted webhooks), or a type of
     * activity.
     */
    async findGroup(kind: GroupedKind, accountId: string, afterId: string): Promise<string | undefined> {
      const { table, group } = keptKinds[kind];
      const { rows } = await sql<{ id: string }>`select ${sql.ref(group)} as id from ${sql.table(table)}
        where account_id = ${accountId} and ${sql.ref(group)} > ${afterId} order by ${sql.ref(group)} limit 1`.execute(db);
      return rows[0]?.id;
    },

    /** Finds the newest row that is not kept. Returns undefined if there is no such row. */
    async findFirst(rows: KeptRows, keptRows: number): Promise<RowKey | undefined> {
      const { table, key, where } = resolve(rows);
      const { rows: found } = await sql<{ key: RowKey }>`select ${key} as key from ${table} where ${where}
        order by ${key} desc limit 1 offset ${keptRows}`.execute(reader);
      return found[0]?.key;
    },

    /**
     * Deletes a batch of rows up to and including `last`. Returns the number of deleted rows. Pending deliveries are kept, unless `withWaiting` is set.
     */
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

    /** Lists the webhooks of a workspace. */
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
