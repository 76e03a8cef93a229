import { useQuery } from '@tanstack/react-query';
import type { Prompt, Version } from '../../lib/types.ts';
import { mayEdit, useWorkspace } from '../../lib/workspace.ts';
import { versionQuery } from '../../prompts/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ContentComparison } from './ContentComparison.tsx';
import { draftOf } from './draft.ts';
import type { Work } from './use-draft.ts';

interface ConflictDialogProps {
  prompt: Prompt;
  work: Work;
  onClose: () => void;
  /** The user wants the other version. */
  onDiscard: (theirs: Version) => void;
  /** The user has seen the other version and wants to save anyway. */
  onContinue: () => void;
}

/** Compares the draft with a version that was saved in the meantime, so that nothing is overwritten unseen. */
export function ConflictDialog({ prompt, work, onClose, onDiscard, onContinue }: ConflictDialogProps) {
  const theirs = useQuery(versionQuery(prompt.name, prompt.latestVersion));
  const data = theirs.data;
  const canEdit = mayEdit(useWorkspace());

  const keepMine = () => {
    if (!data) return;
    work.restart(data, work.draft);
    onContinue();
  };
  const discardMine = () => {
    if (!data) return;
    onDiscard(data);
    onClose();
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Version ${prompt.latestVersion} was saved in the meantime`}
      description={
        <>
          Your changes are based on version {work.base.version}.
          {data && data.message !== '' && <> The newer one is described as “{data.message}”.</>} Nothing was overwritten.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button disabled={!data} onClick={discardMine}>
            Discard mine, use theirs
          </Button>
          {canEdit && (
            <Button kind="primary" disabled={!data} onClick={keepMine}>
              Save mine anyway
            </Button>
          )}
        </>
      }
    >
      {theirs.isPending && <Skeleton className="h-48 w-full" />}
      {theirs.isError && <Problem error={theirs.error} onRetry={() => theirs.refetch()} />}
      {data && (
        <ContentComparison
          type={prompt.type}
          before={{ title: `Theirs: version ${data.version}`, draft: draftOf(data) }}
          after={{ title: 'Yours, unsaved', draft: work.draft }}
        />
      )}
    </Dialog>
  );
}
