import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { WebhookDelivery } from '../lib/types.ts';

const deliveriesPerPage = 20;
const soonMs = 60_000;

/** The webhooks of the current workspace, limited to one page, because nobody reads more. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => call('listWebhooks', { query: { limit: maxPageLimit } }),
  select: ({ data }) => data,
  // The service disables a webhook whose deliveries fail. The event stream does not report this, so the list is refetched.
  refetchInterval: ({ state }) => (state.data?.data.length ? 60_000 : false),
});

export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => call('getWebhook', { path: { id } }),
    refetchInterval: 10_000,
  });
}

/** The deliveries of a webhook, newest first. While a delivery is pending, the list is read every two seconds. */
export function deliveriesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', id],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listDeliveries', { path: { id }, query: { limit: deliveriesPerPage, cursor: pageParam || undefined } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => {
      const pending = state.data?.pages.flatMap(({ data }) => data).filter((delivery) => delivery.state === 'pending') ?? [];
      if (pending.length === 0) return false;
      return pending.some(isDueSoon) ? 2_000 : 15_000;
    },
  });
}

/** Refetches the list, the open webhook and its deliveries. */
export async function refreshWebhooks(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['webhooks'] }), refreshDeliveries()]);
}

export function refreshDeliveries(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['deliveries'] });
}

function isDueSoon({ nextAttemptAt }: WebhookDelivery): boolean {
  return nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < soonMs;
}
