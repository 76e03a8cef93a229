import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';

export const accountQuery = queryOptions({ queryKey: ['own', 'account'], queryFn: () => call('getAccount', {}) });

export const sessionsQuery = queryOptions({
  queryKey: ['own', 'sessions'],
  queryFn: () => call('listSessions', {}),
  select: ({ data }) => data,
});

export const passkeysQuery = queryOptions({
  queryKey: ['own', 'passkeys'],
  queryFn: () => call('listPasskeys', {}),
  select: ({ data }) => data,
});

export const identitiesQuery = queryOptions({
  queryKey: ['own', 'identities'],
  queryFn: () => call('listIdentities', {}),
  select: ({ data }) => data,
});

export const activityQuery = queryOptions({
  queryKey: ['own', 'activity'],
  queryFn: () => call('listActivity', { query: { limit: 20 } }),
  select: ({ data }) => data,
});

/** Fetches the key. The key is fetched only when the user wants to see or copy it, and is never stored. */
export async function fetchKey(): Promise<string> {
  const { token } = await call('verifyToken', {});
  return token;
}

export async function resetKey(): Promise<string> {
  const { token } = await call('resetToken', {});
  return token;
}
