import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import type { Release } from './release.ts';

const refreshEveryMs = 60_000;

/**
 * The last release of a label, refetched while the page is visible. Its query key begins like the keys of prompts, so changes to prompts
 * also refetch the release.
 */
export function releaseQuery(name: string, label: string) {
  return queryOptions({
    queryKey: ['prompts', 'release', name, label],
    queryFn: (): Promise<Release> => call('getRelease', { path: { name, label } }),
    refetchInterval: refreshEveryMs,
  });
}

/** The number of different keys with which a prompt was read in the last 7 days. */
export function keysQuery(name: string) {
  return queryOptions({
    queryKey: ['stats', 'keys', name],
    queryFn: () => call('countKeys', { path: { name } }),
    retry: false,
  });
}
