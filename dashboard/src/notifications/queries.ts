import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';

const key = ['own', 'notifications'];
/**
 * The interval at which notifications are refetched. They are about other people's actions in any workspace, so the event stream of the
 * open workspace does not report all of them.
 */
const refetchMs = 60_000;

/** The number of unread notifications. */
export const unreadQuery = queryOptions({
  queryKey: [...key, 'unread'],
  queryFn: () => call('listNotifications', { query: { limit: 1 } }),
  select: ({ unread }) => unread,
  refetchInterval: refetchMs,
});

export const notificationsQuery = infiniteQueryOptions({
  queryKey: [...key, 'list'],
  queryFn: ({ pageParam }) => call('listNotifications', { query: { limit: 20, ...(pageParam !== '' && { cursor: pageParam }) } }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export const notificationSettingsQuery = queryOptions({
  queryKey: [...key, 'settings'],
  queryFn: () => call('getNotificationSettings', {}),
});

export function refreshNotifications(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: key });
}

export async function markRead(body: { ids: string[] } | { upTo: string }): Promise<void> {
  await call('readNotifications', { body });
  await refreshNotifications();
}
