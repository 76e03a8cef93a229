import { useCallback, useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../lib/storage.ts';
import type { Version } from '../lib/types.ts';
import { type Draft, draftOf, isSameDraft } from './draft.ts';

/** A draft as it is kept in the browser: with the version it was made from. */
export interface StoredDraft {
  base: number;
  draft: Draft;
  at: string;
}

export function draftKey(userId: string, promptId: string): string {
  return `promptharbor:draft:${userId}:${promptId}`;
}

export function readDraft(key: string): StoredDraft | undefined {
  try {
    // Written by this module alone; what is not of its shape is as good as none.
    const stored = JSON.parse(readStored(key) ?? 'null') as StoredDraft | null;
    return typeof stored?.base === 'number' && typeof stored.draft?.config === 'string' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text being edited. It is kept in the browser with every change, so that neither leaving nor reloading nor a crash
 * loses it, until it is saved or discarded.
 */
export function useDraft(key: string, loaded: Version, stored: StoredDraft | undefined) {
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(stored?.draft ?? draftOf(loaded));
  const [restoredAt, setRestoredAt] = useState(stored?.at);
  const isDirty = !isSameDraft(draft, draftOf(base));
  // Another tab may hold a draft of the same prompt: only what this one wrote may it remove.
  const isKept = useRef(stored !== undefined);

  useEffect(() => {
    if (isDirty) {
      const kept: StoredDraft = { base: base.version, draft, at: new Date().toISOString() };
      writeStored(key, JSON.stringify(kept));
    } else if (isKept.current) {
      writeStored(key, undefined);
    }
    isKept.current = isDirty;
  }, [key, base.version, draft, isDirty]);

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);

  /** Goes on from another version: what was typed is dropped unless it is given. */
  const restart = useCallback((version: Version, content: Draft = draftOf(version)) => {
    setBase(version);
    setDraft(content);
    setRestoredAt(undefined);
  }, []);

  return { base, draft, setDraft, isDirty, restoredAt, restart, dismissRestored: () => setRestoredAt(undefined) };
}

export type Work = ReturnType<typeof useDraft>;
