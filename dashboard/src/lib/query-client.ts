import { hashKey, onlineManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from '../../../client/src/errors.ts';

import { isConnected, subscribeToConnection } from './connection.ts';
import { currentWorkspaceId } from './current-workspace.ts';

/**
 * Queries pause while the server is unreachable and continue when it is back. Queries are retried only if the server is unreachable or
 * overloaded. A 4xx response is final.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      queryKeyHashFn: hashInWorkspace,
      retry: (failures, err) => failures < 3 && err instanceof ApiError && (err.status === 0 || err.status >= 500),
      // A failed query is fetched again even if its last data is recent, so that no error stays on the screen.
      refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : true),
    },
    // A write that is started while the server is unreachable fails visibly, instead of happening minutes later.
    mutations: { networkMode: 'always' },
  },
});

onlineManager.setEventListener((setOnline) => subscribeToConnection(() => setOnline(isConnected())));

/**
 * Returns a hash that includes the workspace, because every workspace has separate data. The keys of data that belongs to the user's
 * account start with "own".
 */
export function hashInWorkspace(key: QueryKey): string {
  return hashKey(key[0] === 'own' ? key : [currentWorkspaceId() ?? null, ...key]);
}
