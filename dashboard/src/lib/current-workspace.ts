import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage.ts';

let userId: string | undefined;
let current: string | undefined;
const listeners = new Set<() => void>();

/** The workspace that this tab works in. Undefined for the user's own. */
export function currentWorkspaceId(): string | undefined {
  return current;
}

export function useCurrentWorkspaceId(): string | undefined {
  return useSyncExternalStore(subscribe, currentWorkspaceId);
}

/**
 * Opens the workspace that the address of the page names. Without one, continues where this tab was, or in a new tab where the user was
 * last. Called before every page, whenever it is known who is signed in.
 */
export function openWorkspaceOf(signedInUserId: string, named: string | undefined): void {
  if (userId === signedInUserId && named === undefined) return;
  const key = storageKey(signedInUserId);
  const id = named ?? readTab(key) ?? readStored(key) ?? signedInUserId;
  if (userId === signedInUserId && id === (current ?? userId)) return;
  userId = signedInUserId;
  // From now on, what is chosen in other tabs does not matter here.
  writeTab(key, id);
  setCurrent(id);
}

/** Makes new tabs start in a workspace. */
export function startIn(id: string): void {
  if (userId !== undefined) writeStored(storageKey(userId), id);
}

/** After signing out. What is still shown stays as it is until somebody signs in. */
export function closeWorkspace(): void {
  userId = undefined;
}

function setCurrent(id: string | undefined): void {
  current = id === userId ? undefined : id;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** By user, because others may sign in with the same browser. */
function storageKey(user: string): string {
  return `promptharbor:workspace:${user}`;
}

function readTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function writeTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Full or blocked: the tab forgets the workspace when it reloads.
  }
}
