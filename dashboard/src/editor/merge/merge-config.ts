import { parseConfig } from '../drafts/draft.ts';
import type { Sides } from './merge-text.ts';

/** Merges JSON by property. The results differ only where both sides have changed the same property. */
export function mergeConfig({ base, mine, theirs }: Sides<string>): { mine: string; theirs: string } {
  const [baseConfig, theirConfig, parsed] = [parseConfig(base).config, parseConfig(theirs).config, parseConfig(mine)];
  if (isSame(baseConfig, theirConfig)) return { mine, theirs: mine };
  if (parsed.error !== undefined) return { mine, theirs };
  const merged = mergeValues({ base: baseConfig, mine: parsed.config, theirs: theirConfig });
  const write = (value: unknown) => JSON.stringify(value, null, 2);
  return { mine: write(merged.mine), theirs: write(merged.theirs) };
}

function mergeValues({ base, mine, theirs }: Sides<unknown>): { mine: unknown; theirs: unknown } {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { mine, theirs: mine };
  if (isSame(base, mine)) return { mine: theirs, theirs };
  if (!isObject(mine) || !isObject(theirs)) return { mine, theirs };
  const origin = isObject(base) ? base : {};
  const names = [...new Set([...Object.keys(origin), ...Object.keys(theirs), ...Object.keys(mine)])];
  const merged = names.map((name) => {
    const own = (object: object): unknown => Object.entries(object).find(([key]) => key === name)?.[1];
    return { name, ...mergeValues({ base: own(origin), mine: own(mine), theirs: own(theirs) }) };
  });
  // A property that a side does not have is undefined here, and JSON omits it.
  const collect = (side: 'mine' | 'theirs') => Object.fromEntries(merged.map((property) => [property.name, property[side]]));
  return { mine: collect('mine'), theirs: collect('theirs') };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
