import { useCallback, useEffect, useMemo, useState } from 'react';
import { waitUntilClosed } from '../../lib/tab.ts';
import type { Version } from '../../lib/types.ts';
import { type Draft, draftOf, isSameDraft } from './draft.ts';
import {
  deleteDraft,
  deleteOldDrafts,
  findOtherDrafts,
  type NewPromptDetails,
  type OtherDraft,
  restoreDraft,
  type StoredDraft,
  writeDraft,
} from './stored-drafts.ts';

/** Keeps the content being edited: a draft that is based on a version. */
export function useDraft(key: string, loaded: Version, found: StoredDraft | undefined) {
  const [base, setBase] = useState(loaded);
  const [stored] = useState(() => found && { ...found, draft: restoreDraft(found.draft, draftOf(loaded)) });
  const [draft, setDraft] = useState(() => stored?.draft ?? draftOf(loaded));
  const [restoredAt, setRestoredAt] = useState(stored?.at);
  // The version on which the draft is based, if it was deleted after a newer version was saved. In that case, the draft's changes are
  // unknown.
  const [lostBase, setLostBase] = useState(stored && stored.base < loaded.version ? stored.base : undefined);
  const saved = useMemo(() => draftOf(base), [base]);
  const isDirty = !isSameDraft(draft, saved);
  const isStored = useStoredDraft({ key, base: lostBase ?? base.version, draft, isDirty, stored });

  /** Continues from another version and discards the draft, unless a draft is given. */
  const restart = useCallback((version: Version, content: Draft = draftOf(version)) => {
    setBase(version);
    setDraft(content);
    setRestoredAt(undefined);
    setLostBase(undefined);
  }, []);

  return {
    base,
    lostBase,
    saved,
    draft,
    setDraft,
    isDirty,
    isStored,
    restoredAt,
    restart,
    dismissRestored: () => setRestoredAt(undefined),
  };
}

export type Work = ReturnType<typeof useDraft>;

interface StoredDraftOptions {
  key: string;
  base: number;
  draft: Draft;
  details?: NewPromptDetails;
  isDirty: boolean;
  /** The draft as it was stored. */
  stored: StoredDraft | undefined;
}

/**
 * Stores every change in the browser until it is saved or discarded, so that nothing is lost if the user leaves or reloads the page or the
 * browser crashes. Returns false if the browser could not store the draft.
 */
export function useStoredDraft({ key, base, draft, details, isDirty, stored }: StoredDraftOptions): boolean {
  const [isStored, setStored] = useState(true);
  useEffect(() => {
    const isUnchanged = draft === stored?.draft && details === stored.details;
    const at = isUnchanged ? stored.at : new Date().toISOString();
    if (!isDirty) deleteDraft(key);
    setStored(!isDirty || writeDraft(key, { at, base, draft, details }));
  }, [key, base, draft, details, isDirty, stored]);

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);
  return isStored;
}

/** Returns the drafts of other tabs, and keeps them up to date. */
export function useOtherDrafts(key: string) {
  const [others, setOthers] = useState<OtherDraft[]>([]);
  const refresh = useCallback(async () => setOthers(await findOtherDrafts(key)), [key]);
  useEffect(() => {
    const start = () => void refresh();
    deleteOldDrafts();
    start();
    addEventListener('storage', start);
    addEventListener('focus', start);
    return () => {
      removeEventListener('storage', start);
      removeEventListener('focus', start);
    };
  }, [refresh]);

  useEffect(() => {
    const controller = new AbortController();
    const openTabs = others.filter(({ isOpen }) => isOpen).map(({ tab }) => tab);
    for (const tab of openTabs) waitUntilClosed(tab, controller.signal).then(refresh, () => {});
    return () => controller.abort();
  }, [others, refresh]);
  return { others, refresh };
}
