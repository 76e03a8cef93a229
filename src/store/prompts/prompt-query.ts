import type { SelectQueryBuilder } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import type { Database } from '../tables.ts';

/** A page of an account's prompts: filters, order and position. */
export interface PromptQuery extends PromptFilter {
  sort: 'name' | '-updatedAt';
  limit: number;
  /** How many to skip. */
  offset?: number | undefined;
  /** The sort value and id of the last prompt on the previous page. */
  after?: { value: string; id: string } | undefined;
  deleted?: boolean | undefined;
  search?: string | undefined;
}

export interface PromptFilter {
  tag?: string | undefined;
  folder?: string | undefined;
  label?: string | undefined;
  names?: string[] | undefined;
  updatedFrom?: string | undefined;
  updatedBefore?: string | undefined;
}

type PromptSelect<Row> = SelectQueryBuilder<Database, 'prompts', Row>;

/** Restricts a select of one account's prompts to a page, except for `search`. */
export function selectPage<Row>(select: PromptSelect<Row>, accountId: string, query: PromptQuery): PromptSelect<Row> {
  const page = select.where('deleted_at', query.deleted ? 'is not' : 'is', null);
  const sorted = sortPage(filterPage(page, accountId, query), query).limit(query.limit);
  return query.offset === undefined ? sorted : sorted.offset(query.offset);
}

/** The value that a page is sorted by, for the position after a prompt. */
export function sortValueOf(
  prompt: { name: string; updatedAt: string; deletedAt: string | null },
  { deleted, sort }: Pick<PromptQuery, 'deleted' | 'sort'>,
): string {
  if (deleted) return prompt.deletedAt ?? '';
  return sort === 'name' ? prompt.name : prompt.updatedAt;
}

function sortPage<Row>(page: PromptSelect<Row>, { deleted, sort, after }: PromptQuery): PromptSelect<Row> {
  if (!deleted && sort === 'name') return (after ? page.where('name', '>', after.value) : page).orderBy('name');
  const column = deleted ? 'deleted_at' : 'updated_at';
  const rest = after ? page.where((eb) => eb(eb.refTuple(column, 'id'), '<', eb.tuple(after.value, after.id))) : page;
  return rest.orderBy(column, 'desc').orderBy('id', 'desc');
}

export function filterPage<Row>(page: PromptSelect<Row>, accountId: string, query: PromptFilter): PromptSelect<Row> {
  const { tag, folder, label, names, updatedFrom, updatedBefore } = query;
  let result = page;
  if (updatedFrom !== undefined) result = result.where('updated_at', '>=', updatedFrom);
  if (updatedBefore !== undefined) result = result.where('updated_at', '<', updatedBefore);
  if (names) result = result.where('name', 'in', names);
  result = filterFolder(result, folder);
  if (tag !== undefined) {
    result = result.where('id', 'in', (eb) =>
      eb.selectFrom('prompt_tags').select('prompt_id').where('account_id', '=', accountId).where('tag', '=', tag),
    );
  }
  // Every prompt has a latest version.
  if (label !== undefined && label !== latestLabel) {
    result = result.where('id', 'in', (eb) =>
      eb.selectFrom('prompt_labels').select('prompt_id').where('account_id', '=', accountId).where('label', '=', label),
    );
  }
  return result;
}

/** The prompts in a folder and its subfolders: a range, so that the index by name is used. "0" is the character after "/". */
export function filterFolder<Row>(page: PromptSelect<Row>, folder: string | undefined): PromptSelect<Row> {
  return folder === undefined ? page : page.where('name', '>=', `${folder}/`).where('name', '<', `${folder}0`);
}
