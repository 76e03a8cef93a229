import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Person } from '../../contract/people.ts';
import { contains } from '../contains.ts';
import { importedAuthor, personColumns, toPerson } from '../prompts/people.ts';
import type { Database } from '../tables.ts';

/** The rows of one table that the activity of a workspace consists of. */
export interface ActivitySource {
  /** The events of the workspace itself, or the history of its prompts. */
  table: 'account_events' | 'prompt_events';
  accountId: string;
  /** Only the history of this prompt. */
  promptId?: string | undefined;
  types: string[];
  /** Only entries whose details contain this text. */
  mark?: string | undefined;
}

export interface ActivityFilter {
  /** Who did it. */
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The ids of the rows to visit, newest first. */
export interface IdRange {
  /** All rows have lower ids. */
  before?: string | undefined;
  /** The lowest id. */
  floor?: string | undefined;
}

export interface ActivityRow {
  id: string;
  type: string;
  at: string;
  by: Person | null;
  promptId: string | null;
  /** JSON: what changed. */
  detail: string | null;
}

/**
 * The activity of a workspace. Its rows are in two tables, and are merged by id. Filters may match few rows, so a page visits a bounded
 * number of them.
 */
export function createWorkspaceActivityStore(db: Kysely<Database>) {
  return {
    /** Finds the last row of the next ones, newest first. Returns undefined if there are fewer. */
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
 * Leaves out entries that an import or a copy has brought along: they happened in another service, or to another prompt. The times in the
 * ids tell when an entry and its prompt were created.
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
  // Entries of prompts from before workspaces had members have no author: it was the owner.
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
