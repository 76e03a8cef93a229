import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ContentComparison } from '../editor/drafts/ContentComparison.tsx';
import { draftOf } from '../editor/drafts/draft.ts';
import { WarningList } from '../editor/labels/WarningList.tsx';
import { nextVersionOf } from '../editor/versions/version-numbers.ts';
import type { Candidate, Prompt, SavedVersion, Warning } from '../lib/types.ts';
import { warningsOf } from '../lib/warnings.ts';
import { refreshPrompts, versionQuery } from '../prompts/queries.ts';
import { refreshProposals } from '../proposals/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { applyCandidate, describeCandidateError } from './actions.ts';

interface ApplyDialogProps {
  prompt: Prompt;
  candidate: Candidate;
  onClose: () => void;
  /** Called with the version that was made. `deploys` is true if the user wants to deploy it next. */
  onApplied: (version: SavedVersion, deploys: boolean) => void;
}

/** Shows what the new version will change, then makes the version. The labels do not move. */
export function ApplyDialog({ prompt, candidate, onClose, onApplied }: ApplyDialogProps) {
  const [busy, setBusy] = useState<'apply' | 'deploy'>();
  const [error, setError] = useState<string>();
  const [warnings, setWarnings] = useState<Warning[]>([]);
  const newest = useQuery(versionQuery(prompt.name, prompt.latestVersion));
  const version = nextVersionOf(prompt);
  const apply = async (action: 'apply' | 'deploy') => {
    setBusy(action);
    setError(undefined);
    try {
      onApplied(await applyCandidate(candidate, { strict: warnings.length === 0 }), action === 'deploy');
    } catch (err) {
      setBusy(undefined);
      const found = warningsOf(err);
      if (found) return setWarnings(found);
      setError(describeCandidateError(err));
      await Promise.all([refreshPrompts(), refreshProposals()]);
    }
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Make version ${version}`}
      description={`“${candidate.title}” becomes version ${version}, and the candidate is removed. No label moves.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={busy === 'deploy'} disabled={busy !== undefined} onClick={() => apply('deploy')}>
            Make and deploy…
          </Button>
          <Button kind="primary" busy={busy === 'apply'} disabled={busy !== undefined} onClick={() => apply('apply')}>
            Make version {version}
            {warnings.length > 0 && ' anyway'}
          </Button>
        </>
      }
    >
      <FormError>{error}</FormError>
      <WarningList warnings={warnings} />
      {newest.data && (
        <ContentComparison
          type={prompt.type}
          before={{ title: `Version ${prompt.latestVersion}`, draft: draftOf(newest.data) }}
          after={{ title: `Version ${version}`, draft: draftOf(candidate) }}
        />
      )}
    </Dialog>
  );
}
