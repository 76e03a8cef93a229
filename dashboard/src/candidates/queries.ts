import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Candidate } from '../lib/types.ts';

// A change to a candidate also changes the proposals that would apply it, so `refreshProposals` refetches both together.
const key = ['proposals', 'candidates'];

/** The candidates of a prompt, oldest first. */
export function candidatesQuery(name: string) {
  return infiniteQueryOptions({
    queryKey: [...key, 'list', name],
    queryFn: ({ pageParam }) =>
      call('listCandidates', { path: { name }, query: { limit: 20, ...(pageParam !== '' && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Fetches all candidates of a prompt, oldest first. */
export async function fetchCandidates(name: string): Promise<Candidate[]> {
  const fetchPage = (cursor?: string) => call('listCandidates', { path: { name }, query: { limit: maxPageLimit, cursor } });
  return (await readPages(fetchPage)).data;
}

export function candidateQuery(name: string, id: string) {
  return queryOptions({
    queryKey: [...key, 'one', name, id],
    queryFn: () => call('getCandidate', { path: { name, id } }),
  });
}

/** The open proposals about a prompt, limited to one page. */
export function openProposalsQuery(name: string) {
  return queryOptions({
    queryKey: [...key, 'proposals', name],
    queryFn: () => call('listProposals', { query: { prompt: name, state: 'open', limit: maxPageLimit } }),
    select: ({ data }) => data,
  });
}
