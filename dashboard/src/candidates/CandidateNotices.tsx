import { Link } from '@tanstack/react-router';
import { GitMerge, TriangleAlert } from 'lucide-react';
import { Notice, NotStoredNotice, RestoredNotice } from '../editor/drafts/Notices.tsx';
import type { Work } from '../editor/drafts/use-draft.ts';
import type { Candidate, Prompt } from '../lib/types.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { OpenProposals } from './OpenProposals.tsx';

interface CandidateNoticesProps {
  prompt: Prompt;
  candidate: Candidate;
  work: Work;
  /** Whether the candidate was deleted or a version was made from it. */
  isGone: boolean;
  canEdit: boolean;
  /** The version with which the draft was merged, or otherwise the version on which the candidate is based. */
  baseVersion: number;
  onMergeRevision: () => void;
  onMergeVersion: () => void;
  /** Keeps the content as a new candidate. */
  onRestore: () => void;
}

/**
 * Reports what others did while the page was open: they changed or deleted the candidate, made a version from it, or saved another version.
 */
export function CandidateNotices(props: CandidateNoticesProps) {
  const { prompt, candidate, work, isGone, canEdit, baseVersion, onMergeRevision, onMergeVersion, onRestore } = props;
  const { base, lostBase, isDirty, isStored, restoredAt, dismissRestored } = work;
  const isBehind = isDirty && (lostBase !== undefined || candidate.revision > base.version);
  if (isGone) {
    return (
      <Notice
        tone="warn"
        action={
          <>
            {canEdit && <Button onClick={onRestore}>Save as new candidate</Button>}
            <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} search={{}} className={buttonClass('secondary')}>
              Open the prompt
            </Link>
          </>
        }
      >
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        This candidate no longer exists. Someone deleted it or made a version from it.
      </Notice>
    );
  }
  return (
    <>
      {isBehind && (
        <Notice tone="warn" action={<Button onClick={onMergeRevision}>Review</Button>}>
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {candidate.changedBy.name} changed this candidate in the meantime. Your changes are based on revision {lostBase ?? base.version},
          and the candidate is at revision {candidate.revision}.
        </Notice>
      )}
      {!isBehind && canEdit && prompt.latestVersion > baseVersion && (
        <Notice tone="neutral" action={<Button onClick={onMergeVersion}>Merge v{prompt.latestVersion}</Button>}>
          <GitMerge aria-hidden className="size-4 shrink-0" />
          Version {prompt.latestVersion} was saved after this candidate was started from version {baseVersion}. Merge version{' '}
          {prompt.latestVersion} before you make a version from the candidate.
        </Notice>
      )}
      <OpenProposals candidate={candidate} />
      {restoredAt !== undefined && isDirty && !isBehind && <RestoredNotice at={restoredAt} onDismiss={dismissRestored} />}
      {!isStored && <NotStoredNotice />}
    </>
  );
}
