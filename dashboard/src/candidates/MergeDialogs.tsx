import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { draftOf } from '../editor/drafts/draft.ts';
import type { Work } from '../editor/drafts/use-draft.ts';
import { MergeContents } from '../editor/merge/MergeContents.tsx';
import type { Candidate, Prompt } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import { asVersion } from './as-version.ts';
import { candidateQuery } from './queries.ts';

type SharedProps = Pick<ComponentProps<typeof MergeContents>, 'isSaving' | 'onClose' | 'onDiscard' | 'onMerged'>;

/** Merges the draft with the next revision of the candidate, which someone else saved. */
export function MergeRevisionDialog({ candidate, work, ...props }: SharedProps & { candidate: Candidate; work: Work }) {
  const theirs = useQuery({ ...candidateQuery(candidate.name, candidate.id), select: asVersion });
  return (
    <MergeContents
      {...props}
      type={candidate.type}
      work={work}
      noun="revision"
      number={theirs.data?.version ?? candidate.revision}
      theirs={theirs}
    />
  );
}

interface MergeVersionDialogProps extends Omit<SharedProps, 'isSaving'> {
  prompt: Prompt;
  work: Work;
  baseVersion: number;
}

/** Merges the draft with a version that was saved after the candidate was started. */
export function MergeVersionDialog({ prompt, work, baseVersion, ...props }: MergeVersionDialogProps) {
  const theirs = useQuery(versionQuery(prompt.name, prompt.latestVersion));
  const base = useQuery(versionQuery(prompt.name, baseVersion));
  const isLost = base.error instanceof ApiError && base.error.status === 404;
  const known = base.data ?? (isLost ? theirs.data : undefined);
  if (!known) return null;
  return (
    <MergeContents
      {...props}
      type={prompt.type}
      work={{ base: known, saved: draftOf(known), draft: work.draft, lostBase: isLost ? baseVersion : undefined }}
      noun="version"
      number={prompt.latestVersion}
      theirs={theirs}
      isSaving={false}
    />
  );
}
