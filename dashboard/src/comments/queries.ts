import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { readPages } from '../lib/read-pages.ts';
import type { CommentedContent } from './threads.ts';

const key = ['comments'];
/** The maximum number of pages to read. No proposal or prompt has more comments. */
const maxPages = 20;

/** All comments on a proposal, a version or a candidate. */
export function commentsQuery(filter: { proposal: string } | CommentedContent) {
  return queryOptions({
    queryKey: [...key, filter],
    queryFn: async ({ signal }) => {
      const fetchPage = (cursor?: string) =>
        call('listDiscussion', { query: { ...filter, limit: maxPageLimit, ...(cursor !== undefined && { cursor }) } });
      return (await readPages(fetchPage, { maxPages, signal })).data;
    },
  });
}

export function refreshComments(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: key });
}
