import { alignThreeWays, settle } from './three-way.ts';

export interface Sides<T> {
  base: T;
  mine: T;
  theirs: T;
}

/**
 * Merges texts line by line. All three results contain the changes that only one side made. Where both sides have changed the same lines,
 * the results contain mine, theirs, or theirs followed by mine.
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
