import type { UseQueryResult } from '@tanstack/react-query';
import { formatAgo } from '../../lib/format.ts';
import type { PromptType, Version } from '../../lib/types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type Draft, draftOf, isSameDraft } from '../drafts/draft.ts';
import type { Work } from '../drafts/use-draft.ts';
import { ConflictChoice } from './ConflictChoice.tsx';
import { MergeResult } from './MergeResult.tsx';
import { useMerge } from './use-merge.ts';

interface MergeContentsProps {
  type: PromptType;
  work: Pick<Work, 'base' | 'lostBase' | 'saved' | 'draft'>;
  /** What `number` counts: the versions of a prompt, or the revisions of a candidate. */
  noun: 'version' | 'revision';
  /** The number of the version or revision that was saved in the meantime. */
  number: number;
  theirs: Pick<UseQueryResult<Version>, 'data' | 'isPending' | 'isError' | 'error' | 'refetch'>;
  /** Whether the user is about to save. */
  isSaving: boolean;
  onClose: () => void;
  /** Called when the user discards their draft and keeps the saved version. */
  onDiscard: (theirs: Version) => void;
  onMerged: (theirs: Version, draft: Draft) => void;
}

/**
 * Merges the draft with the content that was saved in the meantime. A change by either side is dropped only if the user decides to drop it.
 */
export function MergeContents({ type, work, noun, number, theirs: query, isSaving, onClose, onDiscard, onMerged }: MergeContentsProps) {
  const theirs = query.data;
  const { conflicts, choices, choose, result } = useMerge(type, work, theirs);
  const isAllTheirs = result && theirs && isSameDraft(result, draftOf(theirs));
  const open = conflicts.filter((part) => !choices.has(part)).length;

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`${noun === 'version' ? 'Version' : 'Revision'} ${number} was saved in the meantime`}
      description={
        <>
          {theirs && `${theirs.by.name} saved it ${formatAgo(theirs.createdAt)}${theirs.message && `: “${theirs.message}”`}. `}
          {work.lostBase === undefined
            ? `Your changes are based on ${noun} ${work.base.version}.`
            : `Your changes are based on ${noun} ${work.lostBase}, which ${noun === 'version' ? 'was deleted' : 'is no longer stored'}, so they cannot be merged automatically.`}{' '}
          Nothing was overwritten.
        </>
      }
      footer={
        <>
          {theirs && (
            <Button kind="danger-quiet" className="sm:mr-auto" onClick={() => onDiscard(theirs)}>
              Discard mine, use theirs
            </Button>
          )}
          <Button onClick={onClose}>Keep editing</Button>
          <Button kind="primary" disabled={!result} onClick={() => theirs && result && onMerged(theirs, result)}>
            {isAllTheirs ? `Continue with ${noun} ${theirs.version}` : isSaving ? 'Merge and save…' : 'Merge'}
          </Button>
        </>
      }
    >
      {query.isPending && <Skeleton className="h-48 w-full" />}
      {query.isError && <Problem error={query.error} onRetry={() => query.refetch()} />}
      {theirs && (
        <div className="space-y-5">
          <p role="status">{work.lostBase === undefined ? describe(conflicts.length, open) : describeLost(open)}</p>
          {conflicts.map((part) => (
            <ConflictChoice
              key={`${theirs.version} ${part.conflict.title}`}
              // If the base is unknown, messages that both sides contain look as if both sides had added them.
              conflict={work.lostBase !== undefined && part.conflict.both ? { ...part.conflict, title: 'Messages' } : part.conflict}
              name={`${noun} ${theirs.version}`}
              choice={choices.get(part)}
              onChoose={(choice) => choose(part, choice)}
            />
          ))}
          {result && <MergeResult type={type} mine={work.draft} theirs={theirs} noun={noun} result={result} />}
        </div>
      )}
    </Dialog>
  );
}

function describe(conflicts: number, open: number): string {
  if (conflicts === 0) return 'Their changes and yours do not overlap. The result contains both.';
  if (open === 0) return 'The result contains your choices and all changes that do not overlap.';
  const parts = conflicts === 1 ? 'one part' : `${conflicts} parts`;
  const left = open === conflicts ? 'Choose what to keep' : `${open} left to choose`;
  return `Both of you changed ${parts}. ${left}. Changes that do not overlap are always kept.`;
}

function describeLost(open: number): string {
  return open === 0 ? 'The result contains your choices.' : 'Choose what to keep where your text and theirs differ.';
}
