import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import type { Database } from '../tables.ts';

/** Where a prompt was in the order of a page when it was found: its sort value may have changed since. */
export interface Position {
  value: string;
  id: string;
}

/** A page of an account's prompts: filters, order and position. */
export interface PromptQuery {
  sort: 'name' | '-updatedAt';
  limit: number;
  /** The last prompt on the previous page. */
  after?: Position | undefined;
  deleted?: boolean | undefined;
  search?: string | undefined;
  tag?: string | undefined;
  folder?: string | undefined;
  label?: string | undefined;
  names?: string[] | undefined;
  updatedFrom?: string | undefined;
  updatedBefore?: string | undefined;
}

type PromptSelect<Row> = SelectQueryBuilder<Database, 'prompts', Row>;

/** Restricts a select of one account's prompts to a page, except for `search`. */
export function selectPage<Row>(select: PromptSelect<Row>, query: PromptQuery): PromptSelect<Row> {
  return sortPage(filterPage(select, query), query).limit(query.limit);
}

/** All prompts that the filters leave, except for `search`. */
export function filterPage<Row>(select: PromptSelect<Row>, query: PromptQuery): PromptSelect<Row> {
  return filterNames(select, query).where((eb) => eb.and(conditionsOf(eb, query)));
}

/** The prompts among which a page is, in its order and from its position on. */
export function selectCandidates<Row>(select: PromptSelect<Row>, query: PromptQuery): PromptSelect<Row> {
  return sortPage(filterNames(select, query), query);
}

/** The filters for which an index has the prompts next to each other. */
function filterNames<Row>(select: PromptSelect<Row>, query: PromptQuery): PromptSelect<Row> {
  const kept = select.where('deleted_at', query.deleted ? 'is not' : 'is', null);
  const named = query.names ? kept.where('name', 'in', query.names) : kept;
  return isByName(query) ? filterFolder(named, query.folder) : named;
}

/** Whether prompts that are not on the page may lie between those that are, in the order of the page. */
export function hasGaps(query: PromptQuery): boolean {
  const { tag, folder, label, updatedFrom, updatedBefore, search, names } = query;
  if (search) return true;
  const hasLabel = label !== undefined && label !== latestLabel;
  const hasFolder = folder !== undefined && !isByName(query);
  return names === undefined && (hasLabel || hasFolder || [tag, updatedFrom, updatedBefore].some((filter) => filter !== undefined));
}

function isByName({ deleted, sort }: Pick<PromptQuery, 'deleted' | 'sort'>): boolean {
  return !deleted && sort === 'name';
}

/** The value that a page is sorted by, for the position after a prompt. */
export function sortValueOf(
  prompt: { name: string; updatedAt: string; deletedAt: string | null },
  { deleted, sort }: Pick<PromptQuery, 'deleted' | 'sort'>,
): string {
  if (deleted) return prompt.deletedAt ?? '';
  return sort === 'name' ? prompt.name : prompt.updatedAt;
}

export function sortColumnOf(query: Pick<PromptQuery, 'deleted' | 'sort'>) {
  if (query.deleted) return 'deleted_at';
  return isByName(query) ? 'name' : 'updated_at';
}

function sortPage<Row>(page: PromptSelect<Row>, query: PromptQuery): PromptSelect<Row> {
  const column = sortColumnOf(query);
  const { after } = query;
  if (column === 'name') return (after ? page.where('name', '>', after.value) : page).orderBy('name');
  const rest = after ? page.where((eb) => eb(eb.refTuple(column, 'id'), '<', eb.tuple(after.value, after.id))) : page;
  return rest.orderBy(column, 'desc').orderBy('id', 'desc');
}

/** The other filters, except for `search`. Each is a look into the row of a prompt, or one seek. */
export function conditionsOf(eb: ExpressionBuilder<Database, 'prompts'>, query: PromptQuery): Expression<SqlBool>[] {
  const { tag, folder, label, updatedFrom, updatedBefore } = query;
  const conditions: Expression<SqlBool>[] = [];
  if (updatedFrom !== undefined) conditions.push(eb('updated_at', '>=', updatedFrom));
  if (updatedBefore !== undefined) conditions.push(eb('updated_at', '<', updatedBefore));
  if (folder !== undefined && !isByName(query)) conditions.push(eb('name', '>=', `${folder}/`), eb('name', '<', `${folder}0`));
  if (tag !== undefined) {
    const tags = eb.selectFrom('prompt_tags').whereRef('prompt_tags.account_id', '=', 'prompts.account_id');
    conditions.push(eb.exists(tags.whereRef('prompt_id', '=', 'prompts.id').where('tag', '=', tag).select('tag')));
  }
  // Every prompt has a latest version.
  if (label !== undefined && label !== latestLabel) {
    const labels = eb.selectFrom('prompt_labels').whereRef('prompt_labels.account_id', '=', 'prompts.account_id');
    conditions.push(eb.exists(labels.whereRef('prompt_id', '=', 'prompts.id').where('label', '=', label).select('label')));
  }
  return conditions;
}

/** The prompts in a folder and its subfolders: a range, so that the index by name is used. "0" is the character after "/". */
export function filterFolder<Row>(page: PromptSelect<Row>, folder: string | undefined): PromptSelect<Row> {
  return folder === undefined ? page : page.where('name', '>=', `${folder}/`).where('name', '<', `${folder}0`);
}
