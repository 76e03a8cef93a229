import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { type Draft, draftOf, findDraftProblem } from '../editor/drafts/draft.ts';
import { type OtherDraft, restoreDraft, type StoredDraft } from '../editor/drafts/stored-drafts.ts';
import { useDraft } from '../editor/drafts/use-draft.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Candidate, Version } from '../lib/types.ts';
import { refreshProposals } from '../proposals/queries.ts';
import { useOwnToast } from '../ui/toasts.ts';
import { describeCandidateError, saveCandidate } from './actions.ts';
import { asVersion } from './as-version.ts';

/**
 * Returns the content of a candidate in the editor. If someone else saves a later revision, the editor shows it, unless the user has
 * unsaved changes.
 */
export function useCandidateWork(candidate: Candidate, storageKey: string, stored: StoredDraft | undefined) {
  const { data: user } = useQuery(sessionQuery);
  const work = useDraft(storageKey, asVersion(candidate), stored);
  const { base, draft, isDirty, restart } = work;
  const [merged, setMerged] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const toast = useOwnToast();
  const { revision, changedBy } = candidate;

  useEffect(() => {
    if (revision <= base.version || isDirty) return;
    restart(asVersion(candidate));
    if (changedBy.userId !== user?.userId) toast(`${changedBy.name} changed this candidate.`);
  }, [candidate, revision, changedBy, base.version, isDirty, restart, user?.userId, toast]);

  /** Saves the draft. Returns whether someone else has saved first. */
  const save = async (): Promise<'saved' | 'conflict' | 'failed'> => {
    const problem = findDraftProblem(draft);
    setError(problem);
    if (problem !== undefined) return 'failed';
    setBusy(true);
    try {
      const { title, message } = candidate;
      const details = { title, message, baseVersion: merged ?? candidate.baseVersion, revision: base.version };
      restart(asVersion(await saveCandidate(candidate, draft, details)));
      setMerged(undefined);
      toast('Candidate saved.');
      return 'saved';
    } catch (err) {
      if (err instanceof ApiError && err.code === 'candidate_changed') {
        await refreshProposals();
        return 'conflict';
      }
      setError(describeCandidateError(err));
      return 'failed';
    } finally {
      setBusy(false);
    }
  };

  const discard = (theirs: Version = base) => {
    restart(theirs);
    toast('Changes discarded.', { undo: () => restart(base, draft) });
  };

  /** Continues from a later revision with the merged content. */
  const mergeRevision = (theirs: Version, content: Draft) => {
    restart(theirs, content);
    toast(`Merged with revision ${theirs.version}.`, { undo: () => restart(base, draft) });
  };

  /** Continues with the merged content. When the candidate is saved, the later version becomes its base version. */
  const mergeVersion = (theirs: Version, content: Draft) => {
    const before = merged;
    work.setDraft(content);
    setMerged(theirs.version);
    const undo = () => {
      work.setDraft(draft);
      setMerged(before);
    };
    toast(`Merged with version ${theirs.version}. Save the candidate to keep the result.`, { undo });
  };

  /** Continues a draft of another tab. */
  const continueDraft = async (other: OtherDraft) => {
    restart(base, restoreDraft(other.draft, draftOf(base)));
    return () => restart(base, draft);
  };

  return {
    work,
    busy,
    error,
    /** The version on which the content in the editor is based. */
    baseVersion: merged ?? candidate.baseVersion,
    isUnsaved: isDirty || merged !== undefined,
    ...{ save, discard, mergeRevision, mergeVersion, continueDraft },
  };
}
