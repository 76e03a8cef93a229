import { queryOptions, useQuery } from '@tanstack/react-query';
import { maxPageLimit } from '../../../../src/contract/limits.ts';
import { call } from '../../lib/api.ts';
import type { Prompt } from '../../lib/types.ts';
import { mayManage, useWorkspace } from '../../lib/workspace.ts';

/**
 * Whether a label has pointed at a version before, so that going back there takes neither checks nor a confirmation. If only overrides brought
 * it there, that holds for those who may override.
 */
export function usePointedAt(prompt: Prompt, { label, version }: { label: string; version: number }): boolean {
  const { data = [] } = useQuery(recentHistoryQuery(prompt));
  const mayOverride = mayManage(useWorkspace());
  const moves = data.filter((entry) => entry.type === 'label_moved' && entry.label === label && entry.to === version);
  return moves.some(({ override }) => override === undefined || mayOverride);
}

/** The last changes of a prompt. Below the key of its history, so that it is refetched with that. */
function recentHistoryQuery({ name, updatedAt }: Prompt) {
  return queryOptions({
    queryKey: ['prompts', 'history', name, 'recent', updatedAt],
    queryFn: () => call('listHistory', { path: { name }, query: { limit: maxPageLimit } }),
    select: ({ data }) => data,
  });
}
