import { queryOptions } from '@tanstack/react-query';
import { request } from '../lib/api.ts';
import type { Account, AccountEvent, NewToken, Page, SessionList, TokenInfo } from '../lib/types.ts';

export const accountQuery = queryOptions({ queryKey: ['own', 'account'], queryFn: () => request<Account>('GET', '/api/account') });

export const sessionsQuery = queryOptions({
  queryKey: ['own', 'sessions'],
  queryFn: () => request<SessionList>('GET', '/api/session/list'),
  select: ({ data }) => data,
});

export const activityQuery = queryOptions({
  queryKey: ['own', 'activity'],
  queryFn: () => request<Page<AccountEvent>>('GET', '/api/account/activity?limit=20'),
  select: ({ data }) => data,
});

/** The key is fetched only when the user wants to see or copy it, and is never stored. */
export async function fetchKey(): Promise<string> {
  const { token } = await request<TokenInfo>('GET', '/api/auth/token');
  return token;
}

export async function resetKey(): Promise<string> {
  const { token } = await request<NewToken>('DELETE', '/api/auth/token');
  return token;
}
