import { queryOptions, useQuery } from '@tanstack/react-query';
import { maxPageLimit } from '../../../../src/contract/limits.ts';
import { call } from '../../lib/api.ts';
import type { Prompt } from '../../lib/types.ts';

/** Whether a label has pointed at a version before. Going back there takes neither checks nor a confirmation. */
export function usePointedAt(prompt: Prompt, { label, version }: { label: string; version: number }): boolean {
  const { data } = useQuery(recentHistoryQuery(prompt));
  return (
    data?.some((entry) => entry.type === 'label_moved' && entry.label === label && (entry.from === version || entry.to === version)) ??
    false
  );
}

/** The last changes of a prompt. Below the key of its history, so that it is refetched with that. */
function recentHistoryQuery({ name, updatedAt }: Prompt) {
  return queryOptions({
    queryKey: ['prompts', 'history', name, 'recent', updatedAt],
    queryFn: () => call('listHistory', { path: { name }, query: { limit: maxPageLimit } }),
    select: ({ data }) => data,
  });
}
