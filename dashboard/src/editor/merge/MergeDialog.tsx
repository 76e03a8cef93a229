import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Prompt } from '../../lib/types.ts';
import { versionQuery } from '../../prompts/queries.ts';
import { MergeContents } from './MergeContents.tsx';

interface MergeDialogProps extends Omit<ComponentProps<typeof MergeContents>, 'type' | 'noun' | 'number' | 'theirs'> {
  prompt: Prompt;
}

/** Merges the draft with a version that was saved in the meantime. */
export function MergeDialog({ prompt, ...props }: MergeDialogProps) {
  const theirs = useQuery(versionQuery(prompt.name, prompt.latestVersion));
  return <MergeContents {...props} type={prompt.type} noun="version" number={prompt.latestVersion} theirs={theirs} />;
}
