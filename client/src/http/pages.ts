/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

type ItemOf<List extends Page<unknown>> = List['data'][number];

/** The first page when awaited; all items when iterated with `for await`, page after page. */
export type PagedList<List extends Page<unknown>> = Promise<List> & AsyncIterable<ItemOf<List>>;

/** Requests the first page now, and the others when an iteration comes to them. */
export function createPagedList<List extends Page<unknown>>(fetchPage: (cursor?: string) => Promise<List>): PagedList<List> {
  const first = fetchPage();

  async function* iterate(): AsyncGenerator<unknown> {
    let page = await first;
    yield* page.data;
    while (page.nextCursor !== null) {
      page = await fetchPage(page.nextCursor);
      yield* page.data;
    }
  }
  // The items of a page are of its type, which TypeScript does not see through a generator.
  return Object.assign(first, { [Symbol.asyncIterator]: iterate as () => AsyncGenerator<ItemOf<List>> });
}
