import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { promptPath, request } from '../lib/api.ts';
import { formatNumber, plural } from '../lib/format.ts';
import type { Dependent, Page } from '../lib/types.ts';

const maxPages = 5;

export interface Dependents {
  dependents: Dependent[];
  /** Whether these are all. */
  isComplete: boolean;
}

/** The prompts that include one, also through others, up to a number that a person can look at. */
export function dependentsQuery(name: string) {
  return queryOptions({
    queryKey: ['dependents', name],
    queryFn: async ({ signal }): Promise<Dependents> => {
      const dependents: Dependent[] = [];
      let cursor: string | null = '';
      for (let pages = 0; pages < maxPages && cursor !== null; pages += 1) {
        signal.throwIfAborted();
        const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
        const page: Page<Dependent> = await request('GET', promptPath(name, `/dependents?limit=${maxPageLimit}${after}`));
        dependents.push(...page.data);
        cursor = page.nextCursor;
      }
      // A prompt that includes itself is not another one that is affected.
      const others = dependents.filter((dependent) => dependent.name !== name);
      return { dependents: others.sort((a, b) => b.callsLast24Hours - a.callsLast24Hours), isComplete: cursor === null };
    },
  });
}

/** "3 prompts, 1,204 calls in the last 24 hours" */
export function describeDependents({ dependents, isComplete }: Dependents): string {
  const calls = dependents.reduce((sum, { callsLast24Hours }) => sum + callsLast24Hours, 0);
  const count = isComplete ? plural(dependents.length, 'prompt') : `more than ${formatNumber(dependents.length)} prompts`;
  return `${count}, ${plural(calls, 'call')} in the last 24 hours`;
}

/** Those that directly include the prompt. */
export function directOnly({ dependents, isComplete }: Dependents): Dependents {
  return { dependents: dependents.filter(({ via }) => via === null), isComplete };
}

/** Those that include the prompt at one of the labels, and those that include it through them. */
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
