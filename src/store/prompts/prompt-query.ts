import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import { contains } from '../contains.ts';
import type { Database } from '../tables.ts';

/** The position of a prompt in the order of a page. */
interface Position {
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

/** Restricts a select of prompts to a page of one account. */
export function selectPage<Row>(select: PromptSelect<Row>, accountId: string, query: PromptQuery): PromptSelect<Row> {
  return sortPage(filterPage(select, accountId, query), query).limit(query.limit);
}

/** Restricts a select to the prompts of an account that match the filters. */
export function filterPage<Row>(select: PromptSelect<Row>, accountId: string, query: PromptQuery): PromptSelect<Row> {
  return select.where('account_id', '=', accountId).where((eb) => eb.and(conditionsOf(eb, accountId, query)));
}

/** Returns the position of a prompt, after which the next page begins. */
export function positionOf(
  prompt: { id: string; name: string; updatedAt: string; deletedAt: string | null },
  { deleted, sort }: Pick<PromptQuery, 'deleted' | 'sort'>,
): Position {
  const value = deleted ? prompt.deletedAt : sort === 'name' ? prompt.name : prompt.updatedAt;
  return { value: value ?? '', id: prompt.id };
}

function sortColumnOf(query: Pick<PromptQuery, 'deleted' | 'sort'>) {
  if (query.deleted) return 'deleted_at';
  return query.sort === 'name' ? 'name' : 'updated_at';
}

function sortPage<Row>(page: PromptSelect<Row>, query: PromptQuery): PromptSelect<Row> {
  const column = sortColumnOf(query);
  const { after } = query;
  if (column === 'name') return (after ? page.where('name', '>', after.value) : page).orderBy('name');
  const rest = after ? page.where((eb) => eb(eb.refTuple(column, 'id'), '<', eb.tuple(after.value, after.id))) : page;
  return rest.orderBy(column, 'desc').orderBy('id', 'desc');
}

function conditionsOf(eb: ExpressionBuilder<Database, 'prompts'>, accountId: string, query: PromptQuery): Expression<SqlBool>[] {
  const { names, tag, folder, label, updatedFrom, updatedBefore, search } = query;
  const conditions: Expression<SqlBool>[] = [eb('deleted_at', query.deleted ? 'is not' : 'is', null)];
  if (names) conditions.push(eb('name', 'in', names));
  if (folder !== undefined) conditions.push(inFolder(eb, folder));
  if (updatedFrom !== undefined) conditions.push(eb('updated_at', '>=', updatedFrom));
  if (updatedBefore !== undefined) conditions.push(eb('updated_at', '<', updatedBefore));
  if (tag !== undefined) {
    const tagged = eb.selectFrom('prompt_tags').where('account_id', '=', accountId).where('tag', '=', tag);
    conditions.push(eb('id', 'in', tagged.select('prompt_id')));
  }
  // Every prompt has a latest version, so `latest` needs no filter.
  if (label !== undefined && label !== latestLabel) {
    const labeled = eb.selectFrom('prompt_labels').where('account_id', '=', accountId).where('label', '=', label);
    conditions.push(eb('id', 'in', labeled.select('prompt_id')));
  }
  const text = search?.toLowerCase();
  if (text) conditions.push(eb.or([contains('search_name', text), contains('search_description', text)]));
  return conditions;
}

/**
 * Returns a condition for the prompts in a folder and its subfolders. It is a range, so that the index by name is used. "0" is the
 * character after "/".
 */
export function inFolder(eb: ExpressionBuilder<Database, 'prompts'>, folder: string): Expression<SqlBool> {
  return eb.and([eb('name', '>=', `${folder}/`), eb('name', '<', `${folder}0`)]);
}
