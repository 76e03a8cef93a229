import type { Sides } from './merge-text.ts';

/** Merges JSON by property. The results differ only where both sides have changed the same property. */
export function mergeJson({ base, mine, theirs }: Sides<unknown>): { mine: unknown; theirs: unknown } {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { mine, theirs: mine };
  if (isSame(base, mine)) return { mine: theirs, theirs };
  if (!isObject(mine) || !isObject(theirs)) return { mine, theirs };
  const origin = isObject(base) ? base : {};
  const names = [...new Set([...Object.keys(origin), ...Object.keys(theirs), ...Object.keys(mine)])];
  const merged = names.map((name) => {
    const own = (object: object): unknown => Object.entries(object).find(([key]) => key === name)?.[1];
    return { name, ...mergeJson({ base: own(origin), mine: own(mine), theirs: own(theirs) }) };
  });
  // A property that a side does not have is left out, as in JSON.
  const collect = (side: 'mine' | 'theirs') =>
    Object.fromEntries(merged.filter((property) => property[side] !== undefined).map((property) => [property.name, property[side]]));
  return { mine: collect('mine'), theirs: collect('theirs') };
}

/** Merges lists whose items have names, by name. Other lists are merged as a whole. */
export function mergeNamed({ base, mine, theirs }: Sides<unknown>): { mine: unknown; theirs: unknown } {
  const [origin, own, other] = [base, mine, theirs].map(byName);
  if (!origin || !own || !other || isSame(mine, theirs) || isSame(base, theirs) || isSame(base, mine)) {
    return mergeJson({ base, mine, theirs });
  }
  const merged = mergeJson({ base: origin, mine: own, theirs: other });
  // Objects remain objects when they are merged.
  return { mine: Object.values(merged.mine as object), theirs: Object.values(merged.theirs as object) };
}

/** Returns the items by name, or undefined if some have no name or the same name. */
function byName(list: unknown): object | undefined {
  if (!Array.isArray(list)) return list === undefined ? {} : undefined;
  const names = list.map((item: unknown) => (isObject(item) && 'name' in item ? item.name : undefined));
  const isNamed = names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
  return isNamed ? Object.fromEntries(list.map((item, index) => [names[index], item])) : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
