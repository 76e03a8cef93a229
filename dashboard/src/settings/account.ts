import { queryOptions } from '@tanstack/react-query';
import { request } from '../lib/api.ts';
import type { Account, Activity, Page, Session } from '../lib/types.ts';

export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: () => request<Account>('GET', '/api/account') });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => request<{ data: Session[] }>('GET', '/api/session/list'),
  select: ({ data }) => data,
});

export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: () => request<Page<Activity>>('GET', '/api/account/activity?limit=20'),
  select: ({ data }) => data,
});

/** The key is fetched when it is asked for, and kept nowhere but on the screen. */
export async function fetchKey(): Promise<string> {
  const { token } = await request<{ token: string }>('GET', '/api/auth/token');
  return token;
}

export async function resetKey(): Promise<string> {
  const { token } = await request<{ token: string }>('DELETE', '/api/auth/token');
  return token;
}
