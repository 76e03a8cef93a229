import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** Retries only if the server is unreachable or overloaded; a 4xx response is final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, err) => failures < 3 && err instanceof ApiError && (err.status === 0 || err.status >= 500),
    },
  },
});
