import { type Static, type TSchema, Type } from 'typebox';
import { maxPageLimit } from './limits.ts';
import { orNull, queryOf } from './shapes.ts';

export const nextCursor = orNull(Type.String(), 'Pass it as `cursor` to get the next page. Null on the last page.');

/** Returns the schema of a page of a list. */
export function listOf<T extends TSchema>(title: string, item: T) {
  const examples = 'examples' in item && Array.isArray(item.examples) ? item.examples : [];
  return Type.Object(
    {
      data: Type.Array(item),
      nextCursor,
    },
    { title, ...(examples.length > 0 && { examples: [{ data: examples, nextCursor: null }] }) },
  );
}

export const defaultPageLimit = 50;

export const pageParameters = {
  limit: Type.Integer({
    minimum: 1,
    maximum: maxPageLimit,
    default: defaultPageLimit,
    description: 'The maximum number of items. A page with more than 1 MB of content ends earlier.',
  }),
  cursor: Type.String({ maxLength: 2000, description: 'The `nextCursor` of the previous page.' }),
};

export const PageQuery = queryOf(pageParameters);
export type PageQuery = Static<typeof PageQuery>;

/** A page of a list in the form that the API returns. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}
