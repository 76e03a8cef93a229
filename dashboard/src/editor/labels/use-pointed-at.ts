import { queryOptions, useQuery } from '@tanstack/react-query';
import { maxPageLimit } from '../../../../src/contract/limits.ts';
import { call } from '../../lib/api.ts';
import type { Prompt } from '../../lib/types.ts';
import { mayManage, useWorkspace } from '../../lib/workspace.ts';

/**
 * Returns whether a label has pointed at a version before. Rolling back to such a version requires neither checks nor a confirmation. If
 * the label reached the version only by overrides, returns true only for users who may override.
 */
export function usePointedAt(prompt: Prompt, { label, version }: { label: string; version: number }): boolean {
  const { data = [] } = useQuery(recentHistoryQuery(prompt));
  const mayOverride = mayManage(useWorkspace());
  const moves = data.filter((entry) => entry.type === 'label_moved' && entry.label === label && entry.to === version);
  return moves.some(({ override }) => override === undefined || mayOverride);
}

/** The latest changes to a prompt. The query key extends the key of the history, so that both are refetched together. */
function recentHistoryQuery({ name, updatedAt }: Prompt) {
  return queryOptions({
    queryKey: ['prompts', 'history', name, 'recent', updatedAt],
    queryFn: () => call('listHistory', { path: { name }, query: { limit: maxPageLimit } }),
    select: ({ data }) => data,
  });
}
