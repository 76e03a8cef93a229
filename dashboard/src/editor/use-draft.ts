import { useCallback, useEffect, useRef, useState } from 'react';
import { currentWorkspaceId } from '../lib/current-workspace.ts';
import { readStored, storedKeys, writeStored } from '../lib/storage.ts';
import type { Version } from '../lib/types.ts';
import { type Draft, draftOf, isSameDraft } from './draft.ts';

/** A draft as stored in the browser, with the version it is based on. */
export interface StoredDraft {
  base: number;
  draft: Draft;
  at: string;
}

/** Drafts are kept by workspace. */
export function draftKey(userId: string, promptId: string): string {
  const workspaceId = currentWorkspaceId();
  return `${draftPrefix(userId)}${workspaceId === undefined ? '' : `${workspaceId}:`}${promptId}`;
}

/** Removes all drafts of an account from this browser, those in the workspaces of others too. */
export function deleteDrafts(userId: string): void {
  for (const key of storedKeys(draftPrefix(userId))) writeStored(key, undefined);
}

function draftPrefix(userId: string): string {
  return `promptharbor:draft:${userId}:`;
}

export function readDraft(key: string): StoredDraft | undefined {
  try {
    // Only this module writes drafts; anything of another shape is ignored.
    const stored = JSON.parse(readStored(key) ?? 'null') as StoredDraft | null;
    return typeof stored?.base === 'number' && typeof stored.draft?.config === 'string' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The content being edited. Every change is stored in the browser until it is saved or discarded, so that leaving the page,
 * a reload or a crash loses nothing.
 */
export function useDraft(key: string, loaded: Version, stored: StoredDraft | undefined) {
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(stored?.draft ?? draftOf(loaded));
  const [restoredAt, setRestoredAt] = useState(stored?.at);
  const isDirty = !isSameDraft(draft, draftOf(base));
  // Another tab may have stored a draft of the same prompt: this one removes only its own.
  const isStored = useRef(stored !== undefined);

  useEffect(() => {
    if (isDirty) {
      const entry: StoredDraft = { base: base.version, draft, at: new Date().toISOString() };
      writeStored(key, JSON.stringify(entry));
    } else if (isStored.current) {
      writeStored(key, undefined);
    }
    isStored.current = isDirty;
  }, [key, base.version, draft, isDirty]);

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);

  /** Continues from another version and discards the draft, unless one is given. */
  const restart = useCallback((version: Version, content: Draft = draftOf(version)) => {
    setBase(version);
    setDraft(content);
    setRestoredAt(undefined);
  }, []);

  return { base, draft, setDraft, isDirty, restoredAt, restart, dismissRestored: () => setRestoredAt(undefined) };
}

export type Work = ReturnType<typeof useDraft>;
