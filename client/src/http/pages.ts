import { createForeignResponseError } from '../errors.ts';

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

type ItemOf<List extends Page<unknown>> = List['data'][number];

/** Await the list to get the first page, or iterate over all items with `for await`, which fetches page after page. */
export type PagedList<List extends Page<unknown>> = Promise<List> & AsyncIterable<ItemOf<List>>;

/** The maximum number of pages. A workspace cannot have more, even if each page holds only a few large items. */
const maxPages = 100_000;
/** The maximum number of empty pages in a row. A page may be empty because its items were deleted, but more empty pages are an error. */
const maxEmptyPages = 100;

/**
 * Yields all pages of a list, starting with one that was already fetched. Throws if the server, or something that responds in its place,
 * repeats a cursor or sends an endless number of pages.
 */
export async function* followPages<List extends Page<unknown>>(
  first: List,
  fetchPage: (cursor: string) => Promise<List>,
): AsyncGenerator<List> {
  const seen = new Set<string>();
  let empty = 0;
  for (let page = first; ; ) {
    yield page;
    const { data, nextCursor } = page;
    if (nextCursor === null || nextCursor === undefined) return;
    empty = data.length === 0 ? empty + 1 : 0;
    if (seen.has(nextCursor) || empty > maxEmptyPages || seen.size >= maxPages) {
      throw createForeignResponseError('The service sends an endless number of pages');
    }
    seen.add(nextCursor);
    page = await fetchPage(nextCursor);
  }
}

/** Requests the first page now, and the following pages when an iteration needs them. */
export function createPagedList<List extends Page<unknown>>(fetchPage: (cursor?: string) => Promise<List>): PagedList<List> {
  const first = fetchPage();

  async function* iterate(): AsyncGenerator<unknown> {
    for await (const { data } of followPages(await first, fetchPage)) yield* data;
  }
  // The items have the item type of the page, but TypeScript cannot infer this through a generator.
  return Object.assign(first, { [Symbol.asyncIterator]: iterate as () => AsyncGenerator<ItemOf<List>> });
}
