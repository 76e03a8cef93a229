import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { formatNumber, plural } from '../lib/format.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Dependent } from '../lib/types.ts';

const maxPages = 5;

export interface Dependents {
  dependents: Dependent[];
  /** Whether the list is complete. */
  isComplete: boolean;
}

/** The prompts that include the given prompt, directly or through others, up to a number that a person can read. */
export function dependentsQuery(name: string) {
  return queryOptions({
    queryKey: ['dependents', name],
    queryFn: async ({ signal }): Promise<Dependents> => {
      const fetchPage = (cursor?: string) => call('listDependents', { path: { name }, query: { limit: maxPageLimit, cursor } });
      const { data, isComplete } = await readPages(fetchPage, { maxPages, signal });
      // A prompt that includes itself does not count as affected.
      const others = data.filter((dependent) => dependent.name !== name);
      return { dependents: others.sort((a, b) => b.callsLast24Hours - a.callsLast24Hours), isComplete };
    },
  });
}

/** The prompts whose test cases use the given prompt as a judge. */
export function judgedQuery(name: string) {
  return queryOptions({
    queryKey: ['dependents', 'judged', name],
    queryFn: () => call('listJudged', { path: { name } }),
    select: ({ data }) => data,
  });
}

/** Formats the dependents, such as "3 prompts, 1,204 calls in the last 24 hours". */
export function describeDependents({ dependents, isComplete }: Dependents): string {
  const calls = dependents.reduce((sum, { callsLast24Hours }) => sum + callsLast24Hours, 0);
  const count = isComplete ? plural(dependents.length, 'prompt') : `more than ${formatNumber(dependents.length)} prompts`;
  return `${count}, ${plural(calls, 'call')} in the last 24 hours`;
}

/** Returns only the dependents that include the prompt directly. */
export function directOnly({ dependents, isComplete }: Dependents): Dependents {
  return { dependents: dependents.filter(({ via }) => via === null), isComplete };
}

/** Returns only the dependents that include the prompt at one of the labels, directly or through others. */
export function includedAt({ dependents, isComplete }: Dependents, labels: string[]): Dependents {
  const affected = new Set<string>();
  const isAffected = ({ via, includes }: Dependent) =>
    via === null ? includes.some(({ label }) => labels.includes(label)) : affected.has(via);
  for (let size = -1; size < affected.size; ) {
    size = affected.size;
    for (const dependent of dependents) if (isAffected(dependent)) affected.add(dependent.name);
  }
  return { dependents: dependents.filter(({ name }) => affected.has(name)), isComplete };
}
