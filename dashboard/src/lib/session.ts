import { queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, listenForLostSession, stopReads } from './api.ts';
import { closeWorkspace } from './current-workspace.ts';
import { queryClient } from './query-client.ts';
import type { User } from './types.ts';

/**
 * The state of the session according to the page that the server sent: `possible`, `none` or `no-accounts`. This value is valid only until
 * the first sign-in in this tab.
 */
let initialSession = document.querySelector<HTMLMetaElement>('meta[name=session]')?.content;

/** Returns whether the server has no accounts yet, so that there is nothing to sign in to. */
export function awaitsFirstAccount(): boolean {
  return initialSession === 'no-accounts';
}

/** The signed-in user, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['own', 'session'],
  queryFn: async () => {
    if (initialSession === 'none' || awaitsFirstAccount()) return null;
    try {
      return await call('whoAmI', {});
    } catch (err) {
      if (err instanceof ApiError && err.status === 401) return null;
      throw err;
    }
  },
  staleTime: 60_000,
});

let lost = false;
const listeners = new Set<() => void>();

/** Opens the sign-in dialog over the page when a request is rejected because there is no session, so that no work is lost. */
export function watchSession(): void {
  listenForLostSession(() => {
    if (queryClient.getQueryData(sessionQuery.queryKey)) setLost(true);
  });
}

export function useSessionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lost,
  );
}

/**
 * Stores the user of a new session. If the account is a different one, the page reloads, so that no data of the previous account stays
 * visible.
 */
export function acceptSession(user: User): void {
  initialSession = 'possible';
  const previous = queryClient.getQueryData(sessionQuery.queryKey);
  queryClient.setQueryData(sessionQuery.queryKey, user);
  if (previous && previous.userId !== user.userId) location.assign('/dashboard');
  setLost(false);
}

/**
 * Ends the session on the server and drops all loaded data. If a provider started the session, continues at the provider, which ends the
 * session there too.
 */
export async function signOut({ atProvider = true } = {}): Promise<void> {
  // After the session has ended, reads would be refused, and the session would seem to be lost.
  const resumeReads = await stopReads();
  try {
    const { url } = await call('signOutEverywhere', {});
    forgetSession();
    if (url !== null && atProvider) location.assign(url);
  } finally {
    resumeReads();
  }
}

export function forgetSession(): void {
  closeWorkspace();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  setLost(false);
}

function setLost(value: boolean): void {
  lost = value;
  for (const listener of listeners) listener();
}
