import { hashKey, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { currentWorkspaceId } from './current-workspace.ts';

/** Retries only if the server is unreachable or overloaded; a 4xx response is final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Every workspace has its own data. What belongs to the user's account has a key that starts with "own".
      queryKeyHashFn: (key) => hashKey(key[0] === 'own' ? key : [currentWorkspaceId() ?? null, ...key]),
      retry: (failures, err) => failures < 3 && err instanceof ApiError && (err.status === 0 || err.status >= 500),
    },
  },
});
