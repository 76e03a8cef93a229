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

/** The prompts that include one, up to a number that a person can look at. */
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

/** Only what is included at a label. */
export function includedAt({ dependents, isComplete }: Dependents, label: string): Dependents {
  return { dependents: dependents.filter(({ includes }) => includes.some((include) => include.label === label)), isComplete };
}
