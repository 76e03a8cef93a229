import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import { foldText } from '../../contract/searched-texts.ts';
import { contains } from '../contains.ts';
import type { Database } from '../tables.ts';

/** The position of a prompt in the order of a page. */
interface Position {
  value: string;
  id: string;
}

/** A page of an account's prompts: filters, order and position. */
export interface PromptQuery {
  sort: 'name' | '-name' | 'updatedAt' | '-updatedAt';
  limit: number;
  /** The last prompt on the previous page. */
  after?: Position | undefined;
  deleted?: boolean | undefined;
  /** If set, only prompts in the bin that were deleted after this time are selected. */
  deletedAfter?: string | undefined;
  search?: string | undefined;
  /** The fields that the search covers. If undefined, it covers all fields. */
  searchIn?: 'name' | undefined;
  tag?: string | undefined;
  folder?: string | undefined;
  /** Whether prompts in subfolders match too. */
  subfolders?: boolean | undefined;
  label?: string | undefined;
  /** The account id of the author of the newest version. */
  author?: string | undefined;
  /** Whether a prompt must have a label, or must have none. */
  deployed?: boolean | undefined;
  names?: string[] | undefined;
  updatedFrom?: string | undefined;
  updatedBefore?: string | undefined;
}

type PromptSelect<Row> = SelectQueryBuilder<Database, 'prompts', Row>;

/** Restricts a select of prompts to one page of an account's prompts. */
export function selectPage<Row>(select: PromptSelect<Row>, accountId: string, query: PromptQuery): PromptSelect<Row> {
  return sortPage(filterPage(select, accountId, query), query).limit(query.limit);
}

/** The filters of a list, without its order and position. */
export type PromptFilter = Omit<PromptQuery, 'sort' | 'limit' | 'after'>;

/** Restricts a select to the prompts of an account that match the filters. */
export function filterPage<Row>(select: PromptSelect<Row>, accountId: string, query: PromptFilter): PromptSelect<Row> {
  return select.where('account_id', '=', accountId).where((eb) => eb.and(conditionsOf(eb, accountId, query)));
}

/** Returns the position of a prompt, after which the next page begins. */
export function positionOf(
  prompt: { id: string; name: string; updatedAt: string; deletedAt: string | null },
  { deleted, sort }: Pick<PromptQuery, 'deleted' | 'sort'>,
): Position {
  const value = deleted ? prompt.deletedAt : isByName(sort) ? prompt.name : prompt.updatedAt;
  return { value: value ?? '', id: prompt.id };
}

function isByName(sort: PromptQuery['sort']): boolean {
  return sort === 'name' || sort === '-name';
}

/**
 * Sorts by a column that has an index. Names are unique outside the bin. In another column, prompts with equal values are sorted by their
 * ids. A search does not use the index of the column, because reading all prompts in order takes longer than sorting the prompts that the
 * search found.
 */
function sortPage<Row>(page: PromptSelect<Row>, { after, sort, deleted, search, searchIn }: PromptQuery): PromptSelect<Row> {
  const direction = deleted || sort.startsWith('-') ? 'desc' : 'asc';
  const comparison = direction === 'desc' ? '<' : '>';
  // In a search, the column becomes an expression, to which its index does not apply.
  const toOrder = (column: string) => (search && searchIn !== 'name' ? sql`${sql.ref(column)} || ''` : sql.ref(column));
  if (!deleted && isByName(sort)) {
    return (after ? page.where('name', comparison, after.value) : page).orderBy(toOrder('name'), direction);
  }
  const column = deleted ? 'deleted_at' : 'updated_at';
  const rest = after ? page.where((eb) => eb(eb.refTuple(column, 'id'), comparison, eb.tuple(after.value, after.id))) : page;
  return rest.orderBy(toOrder(column), direction).orderBy('id', direction);
}

function conditionsOf(eb: ExpressionBuilder<Database, 'prompts'>, accountId: string, query: PromptFilter): Expression<SqlBool>[] {
  const { names, folder, subfolders = true, author, deployed, updatedFrom, updatedBefore, deletedAfter } = query;
  const conditions: Expression<SqlBool>[] = [eb('deleted_at', query.deleted ? 'is not' : 'is', null)];
  if (names) conditions.push(eb('name', 'in', names));
  if (folder !== undefined) conditions.push(inFolder(eb, folder));
  if (!subfolders) conditions.push(isDirectlyIn(folder));
  if (updatedFrom !== undefined) conditions.push(eb('updated_at', '>=', updatedFrom));
  if (deletedAfter !== undefined) conditions.push(eb('deleted_at', '>', deletedAfter));
  if (updatedBefore !== undefined) conditions.push(eb('updated_at', '<', updatedBefore));
  const lists = listsOf(eb, accountId, query);
  if (lists) conditions.push(eb('id', 'in', lists));
  if (author !== undefined) conditions.push(isLastSavedBy(eb, accountId, author));
  if (deployed !== undefined) {
    const labels = eb
      .selectFrom('prompt_labels')
      .select('label')
      .where('account_id', '=', accountId)
      .whereRef('prompt_id', '=', 'prompts.id');
    conditions.push(deployed ? eb.exists(labels) : eb.not(eb.exists(labels)));
  }
  if (query.search && query.searchIn === 'name') conditions.push(contains('search_name', foldText(query.search)));
  return conditions;
}

/**
 * Returns the ids of the prompts that match a tag, a label and a search, or undefined if the query has none of these filters. The indexes
 * for all three filters are sorted by prompt, so both engines can intersect the lists faster than they could look up every prompt in every
 * list. SQLite reads the lists side by side and stops at the end of the shortest.
 */
function listsOf(eb: ExpressionBuilder<Database, 'prompts'>, accountId: string, { tag, label, search, searchIn }: PromptFilter) {
  const ofTag = eb.selectFrom('prompt_tags').select('prompt_id').where('account_id', '=', accountId);
  const ofLabel = eb.selectFrom('prompt_labels').select('prompt_id').where('account_id', '=', accountId);
  const ofText = eb.selectFrom('prompt_texts').select('prompt_id').where('account_id', '=', accountId);
  const lists: SelectQueryBuilder<Database, keyof Database, { prompt_id: string }>[] = [];
  if (tag !== undefined) lists.push(ofTag.where('tag', '=', tag));
  // Every prompt has a latest version, so `latest` needs no filter.
  if (label !== undefined && label !== latestLabel) lists.push(ofLabel.where('label', '=', label));
  if (search && searchIn !== 'name') lists.push(ofText.where(contains('text', foldText(search))));
  const [first, ...others] = lists;
  return others.reduce((all, other) => all?.intersect(other), first);
}

/**
 * Returns a condition for the prompts in a folder and its subfolders. The condition is a range, so that the index by name is used. "0" is
 * the character after "/".
 */
export function inFolder(eb: ExpressionBuilder<Database, 'prompts'>, folder: string): Expression<SqlBool> {
  return eb.and([eb('name', '>=', `${folder}/`), eb('name', '<', `${folder}0`)]);
}

/** Returns a condition for the prompts that are directly in a folder, or in no folder. */
function isDirectlyIn(folder: string | undefined): Expression<SqlBool> {
  // Both engines count characters, not UTF-16 code units.
  const start = folder === undefined ? 1 : [...folder].length + 2;
  const rest = sql`substr(name, cast(${start} as integer))`;
  return sql<SqlBool>`replace(${rest}, '/', '') = ${rest}`;
}

/**
 * Returns a condition for the prompts whose newest version an account has saved. Versions that were saved before workspaces had members
 * have no author: the owner saved them.
 */
function isLastSavedBy(eb: ExpressionBuilder<Database, 'prompts'>, accountId: string, author: string): Expression<SqlBool> {
  const newest = eb
    .selectFrom('prompt_versions')
    .select('version')
    .where('account_id', '=', accountId)
    .whereRef('prompt_id', '=', 'prompts.id')
    .whereRef('version', '=', 'prompts.latest_version');
  const saved = eb.exists(newest.where('by_account_id', '=', author));
  return author === accountId ? eb.or([saved, eb.exists(newest.where('by_account_id', 'is', null))]) : saved;
}
