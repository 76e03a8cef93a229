import { followPages, type Page } from '../../../client/src/http/pages.ts';

interface ReadPagesOptions {
  maxPages?: number;
  signal?: AbortSignal;
}

/** Reads a list page by page, up to a maximum number of pages. `isComplete` says whether the whole list was read. */
export async function readPages<List extends Page<unknown>>(
  fetchPage: (cursor?: string) => Promise<List>,
  { maxPages, signal }: ReadPagesOptions = {},
): Promise<{ data: List['data'][number][]; pages: List[]; isComplete: boolean }> {
  const pages: List[] = [];
  for await (const page of followPages(await fetchPage(), fetchPage)) {
    pages.push(page);
    if (pages.length === maxPages) break;
    signal?.throwIfAborted();
  }
  return { data: pages.flatMap(({ data }) => data), pages, isComplete: pages.at(-1)?.nextCursor === null };
}
