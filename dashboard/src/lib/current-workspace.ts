import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage.ts';

let userId: string | undefined;
let current: string | undefined;
const listeners = new Set<() => void>();

/** Returns the workspace that this tab works in. Returns undefined for the user's own workspace. */
export function currentWorkspaceId(): string | undefined {
  return current;
}

export function useCurrentWorkspaceId(): string | undefined {
  return useSyncExternalStore(subscribe, currentWorkspaceId);
}

/**
 * Opens the workspace in the URL. If the URL does not name a workspace, continues in this tab's last workspace or, in a new tab, in the
 * user's last workspace. The router calls this function before every page, once it knows who is signed in.
 */
export function openWorkspaceOf(signedInUserId: string, named: string | undefined): void {
  if (userId === signedInUserId && named === undefined) return;
  const key = storageKey(signedInUserId);
  const id = named ?? readTab(key) ?? readStored(key) ?? signedInUserId;
  if (userId === signedInUserId && id === (current ?? userId)) return;
  userId = signedInUserId;
  // Choices in other tabs no longer affect this tab.
  writeTab(key, id);
  setCurrent(id);
}

/** Makes new tabs start in a workspace. */
export function startIn(id: string): void {
  if (userId !== undefined) writeStored(storageKey(userId), id);
}

/** Forgets the user after signing out. The content of the page stays visible until someone signs in. */
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

/** Returns the key of the stored workspace. Each user has a separate key, because several people may sign in with the same browser. */
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
    // The storage is full or blocked. The tab forgets the workspace when it reloads.
  }
}
