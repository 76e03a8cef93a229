import { alignThreeWays, settle } from './three-way.ts';

export interface Sides<T> {
  base: T;
  mine: T;
  theirs: T;
}

/**
 * Merges by line. Changes of one side are in all three results, which differ only where both have changed the same lines: there they
 * have mine, theirs, or first theirs and then mine.
 */
export function mergeText({ base, mine, theirs }: Sides<string>): { mine: string; theirs: string; both: string } {
  const [baseLines, mineLines, theirLines] = [base.split('\n'), mine.split('\n'), theirs.split('\n')];
  const slots = alignThreeWays({ base: baseLines, mine: mineLines, theirs: theirLines }, { touchingOverlaps: true });
  const resolve = (choose: (slot: Sides<string[]>) => string[]) => slots.flatMap((slot) => settle(slot) ?? choose(slot)).join('\n');
  return {
    mine: resolve((slot) => slot.mine),
    theirs: resolve((slot) => slot.theirs),
    both: resolve((slot) => [...slot.theirs, ...slot.mine]),
  };
}
