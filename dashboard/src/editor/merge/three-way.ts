import { diffArrays } from 'diff';

/** A range of the base, with its replacement on each side. */
export interface Slot<T> {
  base: T[];
  mine: T[];
  theirs: T[];
}

/** The replacement for `base.slice(from, to)` on one side. */
export interface Hunk<T> {
  from: number;
  to: number;
  items: T[];
}

interface AlignOptions<T> {
  /** Whether adjacent changes count as overlapping. */
  touchingOverlaps: boolean;
  /** Splits a change into smaller ones, so that fewer lines overlap. */
  split?: (hunk: Hunk<T>, removed: T[]) => Hunk<T>[];
}

/**
 * The maximum number of changes to look for. Two sequences with more changes count as completely different, because comparing them would
 * take too long.
 */
const maxEditLength = 4000;

/** Aligns three sequences and splits them into consecutive parts. Changes of both sides are in the same part only where they overlap. */
export function alignThreeWays<T>({ base, mine, theirs }: Slot<T>, { touchingOverlaps, split }: AlignOptions<T>): Slot<T>[] {
  const hunksOf = (side: T[]) => findHunks(base, side).flatMap((hunk) => (split ? split(hunk, base.slice(hunk.from, hunk.to)) : [hunk]));
  const slots: Slot<T>[] = [];
  let at = 0;
  const push = (from: number, to: number, change: { mine: Hunk<T>[]; theirs: Hunk<T>[] }) => {
    const replaced = (hunks: Hunk<T>[]) => replace(base, { from, to, hunks });
    slots.push({ base: base.slice(from, to), mine: replaced(change.mine), theirs: replaced(change.theirs) });
    at = to;
  };
  for (const { from, to, ...change } of findOverlaps({ mine: hunksOf(mine), theirs: hunksOf(theirs) }, touchingOverlaps)) {
    if (at < from) push(at, from, { mine: [], theirs: [] });
    push(from, to, change);
  }
  if (at < base.length) push(at, base.length, { mine: [], theirs: [] });
  return slots;
}

/** Returns the content on which both sides agree, or undefined if they do not agree. */
export function settle<T>({ base, mine, theirs }: Slot<T>): T[] | undefined {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  return isSame(base, mine) ? theirs : undefined;
}

function isSame<T>(a: T[], b: T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function findHunks<T>(base: T[], side: T[]): Hunk<T>[] {
  const changes = diffArrays(base, side, { maxEditLength });
  if (!changes) return [{ from: 0, to: base.length, items: side }];
  const hunks: Hunk<T>[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const from = at;
    if (!added) at += value.length;
    if (!added && !removed) continue;
    const items = added ? value : [];
    const last = hunks.at(-1);
    if (last?.to === from) hunks.splice(-1, 1, { from: last.from, to: at, items: [...last.items, ...items] });
    else hunks.push({ from, to: at, items });
  }
  return hunks;
}

interface Overlap<T> {
  from: number;
  to: number;
  mine: Hunk<T>[];
  theirs: Hunk<T>[];
}

/** Returns the changes of both sides in the order of the base. Overlapping changes are grouped. */
function findOverlaps<T>({ mine, theirs }: { mine: Hunk<T>[]; theirs: Hunk<T>[] }, touchingOverlaps: boolean): Overlap<T>[] {
  const overlaps: Overlap<T>[] = [];
  const hunks = [...mine, ...theirs].sort((a, b) => a.from - b.from || a.to - b.to);
  for (const hunk of hunks) {
    const { from, to } = hunk;
    const side = mine.includes(hunk) ? 'mine' : 'theirs';
    const last = overlaps.at(-1);
    const isAtSamePlace = last?.from === to && last.to === to;
    if (last && (from < last.to || isAtSamePlace || (touchingOverlaps && from === last.to))) {
      last.to = Math.max(last.to, to);
      last[side].push(hunk);
    } else {
      overlaps.push({ from, to, mine: [], theirs: [], [side]: [hunk] });
    }
  }
  return overlaps;
}

function replace<T>(base: T[], { from, to, hunks }: { from: number; to: number; hunks: Hunk<T>[] }): T[] {
  const result: T[] = [];
  let at = from;
  for (const hunk of hunks) {
    result.push(...base.slice(at, hunk.from), ...hunk.items);
    at = hunk.to;
  }
  return [...result, ...base.slice(at, to)];
}
