import { useQueries } from '@tanstack/react-query';
import type { Prompt } from '../lib/types.ts';
import type { Row } from './filters.ts';
import { usageQuery } from './usage.ts';

const blockRows = 50;

export type UsageByName = (name: string) => Prompt['usage'];

/** How often the visible prompts were called. Loaded in blocks of rows, because a list may have thousands. */
export function useUsage(rows: Row[], first: number, last: number): UsageByName {
  const blocks: string[][] = [];
  for (let start = Math.floor(first / blockRows) * blockRows; start <= last && start < rows.length; start += blockRows) {
    const names = rows.slice(start, start + blockRows).flatMap((row) => (row.kind === 'prompt' ? [row.prompt.name] : []));
    if (names.length > 0) blocks.push(names);
  }
  const results = useQueries({ queries: blocks.map(usageQuery) });
  return (name) => results.find(({ data }) => data?.has(name))?.data?.get(name);
}
