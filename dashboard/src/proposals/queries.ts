import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';

export type ProposalFilter = 'waiting' | 'open' | 'ended';

const key = ['proposals'];
/** The interval at which proposals are refetched, because the event stream does not report some changes, such as changes to a rule. */
const refetchMs = 60_000;

/** The number of proposals that wait for the user's review. */
export const waitingCountQuery = queryOptions({
  queryKey: [...key, 'waiting-count'],
  queryFn: () => call('listProposals', { query: { waiting: 'true', limit: maxPageLimit } }),
  select: ({ data }) => data.length,
  refetchInterval: refetchMs,
});

export function proposalsQuery(filter: ProposalFilter) {
  const choice = filter === 'waiting' ? ({ waiting: 'true' } as const) : { state: filter };
  return infiniteQueryOptions({
    queryKey: [...key, 'list', filter],
    queryFn: ({ pageParam }) => call('listProposals', { query: { ...choice, limit: 30, ...(pageParam !== '' && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function proposalQuery(id: string) {
  return queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: () => call('getProposal', { path: { id } }),
    refetchInterval: refetchMs,
  });
}

export function refreshProposals(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: key });
}
