import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** Answers that say no are final; only a server that is away or busy is asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, err) => failures < 3 && err instanceof ApiError && (err.status === 0 || err.status >= 500),
    },
  },
});
