import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Person } from '../../contract/people.ts';
import { contains } from '../contains.ts';
import { importedAuthor, personColumns, toPerson } from '../prompts/people.ts';
import type { Database } from '../tables.ts';

/** The rows of one table that are part of the activity of a workspace. */
export interface ActivitySource {
  /** `account_events` contains the events of the workspace itself, `prompt_events` the history of its prompts. */
  table: 'account_events' | 'prompt_events';
  accountId: string;
  /** If set, only the history of this prompt is listed. */
  promptId?: string | undefined;
  types: string[];
  /** If set, only entries whose details contain this text are listed. */
  mark?: string | undefined;
}

export interface ActivityFilter {
  /** The account id of the person who caused the entries. */
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A range of ids. The rows in the range are visited from the newest to the oldest. */
export interface IdRange {
  /** The upper bound (exclusive). */
  before?: string | undefined;
  /** The lower bound (inclusive). */
  floor?: string | undefined;
}

export interface ActivityRow {
  id: string;
  type: string;
  at: string;
  by: Person | null;
  promptId: string | null;
  /** JSON: details of what changed. */
  detail: string | null;
}

/**
 * Reads the activity of a workspace. The rows are in two tables, and are merged by id. A filter may match only a few rows, so the number of
 * rows that a page visits is limited.
 */
export function createWorkspaceActivityStore(db: Kysely<Database>) {
  return {
    /** Finds the id of the last of the next `rows` rows, counted from the newest. Returns undefined if there are fewer rows. */
    async findFloor(source: ActivitySource, range: IdRange, rows: number): Promise<string | undefined> {
      const found = await db
        .selectFrom(source.table)
        .select('id')
        .where(inSource(source, range))
        .orderBy('id', 'desc')
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst();
      return found?.id;
    },

    /** Lists the entries in a range that match the filter, newest first. */
    async list(source: ActivitySource, range: IdRange & ActivityFilter, limit: number): Promise<ActivityRow[]> {
      const { table } = source;
      const conditions = sql<boolean>`${inSource(source, range)} and ${matches(source, range)}`;
      if (table === 'prompt_events') {
        const rows = await db
          .selectFrom(table)
          .select(['id', 'type', 'at', 'detail', 'prompt_id as promptId', 'by as byVia', ...personColumns(table)])
          .where(conditions)
          .where(happenedHere)
          .orderBy('id', 'desc')
          .limit(limit)
          .execute();
        return rows.map(({ byVia, byAccountId, byName, ...row }) => ({ ...row, by: toPerson({ byAccountId, byName, byVia }) }));
      }
      const rows = await db
        .selectFrom(table)
        .select(['id', 'type', 'at', 'detail', 'by_account_id as userId', 'by_name as name'])
        .where(conditions)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ userId, name, ...row }) => ({
        ...row,
        promptId: null,
        by: userId === null ? null : { userId, name: name ?? '' },
      }));
    },

    /** Finds the current names of prompts, including those in the bin. */
    async findPrompts(accountId: string, ids: string[]): Promise<Map<string, { id: string; name: string; deletedAt: string | null }>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('prompts')
        .select(['id', 'name', 'deleted_at as deletedAt'])
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map((row) => [row.id, row]));
    },
  };
}

/**
 * Leaves out entries that come from an import or a copy, because they happened in another service or to another prompt. The ids contain the
 * times at which an entry and its prompt were created.
 */
const happenedHere = sql<boolean>`(by_account_id is null or by_account_id <> ${importedAuthor}) and substr(id, 3) >= substr(prompt_id, 3)`;

function inSource({ accountId, promptId }: ActivitySource, { before, floor }: IdRange): RawBuilder<boolean> {
  return all([
    sql`account_id = ${accountId}`,
    promptId !== undefined && sql`prompt_id = ${promptId}`,
    before !== undefined && sql`id < ${before}`,
    floor !== undefined && sql`id >= ${floor}`,
  ]);
}

function matches({ table, types, mark }: ActivitySource, { by, from, to }: ActivityFilter): RawBuilder<boolean> {
  // History entries that were written before workspaces had members have no author. Their author was the owner.
  const author = table === 'prompt_events' ? sql`coalesce(by_account_id, account_id)` : sql`by_account_id`;
  return all([
    sql`type in (${sql.join(types)})`,
    mark !== undefined && sql`${contains('detail', mark)}`,
    by !== undefined && sql`${author} = ${by}`,
    from !== undefined && sql`at >= ${from}`,
    to !== undefined && sql`at < ${to}`,
  ]);
}

function all(conditions: (RawBuilder<unknown> | false)[]): RawBuilder<boolean> {
  const present = conditions.filter((condition) => condition !== false);
  return sql<boolean>`${sql.join(present, sql` and `)}`;
}
