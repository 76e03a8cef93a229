import { useQuery } from '@tanstack/react-query';
import type { Prompt } from '../lib/types.ts';
import type { Row } from './folder-tree.ts';
import { usageQuery } from './usage.ts';

/** The number of rows in a batch. A batch is larger than any screen, so that two batches always cover the screen. */
const blockRows = 100;

type UsageByName = (name: string) => Prompt['usage'];

/**
 * Returns how often the visible prompts were called. The counts are loaded in batches of rows, because a list may have thousands of rows.
 */
export function useUsage(rows: Row[], first: number, last: number): UsageByName {
  const start = Math.floor(first / blockRows) * blockRows;
  const upper = useBlock(rows, start, true);
  const lower = useBlock(rows, start + blockRows, last >= start + blockRows);
  return (name) => upper?.get(name) ?? lower?.get(name);
}

function useBlock(rows: Row[], start: number, isVisible: boolean) {
  const names = rows.slice(start, start + blockRows).flatMap((row) => (row.kind === 'prompt' ? [row.prompt.name] : []));
  const { data } = useQuery({ ...usageQuery(names), enabled: isVisible && names.length > 0 });
  return data;
}
