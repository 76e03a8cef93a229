import { formatPart, parseConfig, parseOutput, parseTools } from '../drafts/draft.ts';
import { mergeJson, mergeNamed } from './merge-json.ts';
import type { Sides } from './merge-text.ts';

type Merged = { mine: string; theirs: string };

/** Merges configs by property. The results differ only where both sides have changed the same property. */
export function mergeConfig({ base, mine, theirs }: Sides<string>): Merged {
  const [baseConfig, theirConfig, parsed] = [parseConfig(base).config, parseConfig(theirs).config, parseConfig(mine)];
  if (JSON.stringify(baseConfig) === JSON.stringify(theirConfig)) return { mine, theirs: mine };
  if (parsed.error !== undefined) return { mine, theirs };
  const merged = mergeJson({ base: baseConfig, mine: parsed.config, theirs: theirConfig });
  const write = (value: unknown) => JSON.stringify(value, null, 2);
  return { mine: write(merged.mine), theirs: write(merged.theirs) };
}

/** Merges tools by name, and within a tool by property. */
export function mergeTools(sides: Sides<string>): Merged {
  return mergePart(sides, parseTools, mergeNamed);
}

export function mergeOutput(sides: Sides<string>): Merged {
  return mergePart(sides, parseOutput, mergeJson);
}

type Parse = (text: string) => { value?: unknown; error?: string };
type Merge = (sides: Sides<unknown>) => { mine: unknown; theirs: unknown };

function mergePart({ base, mine, theirs }: Sides<string>, parse: Parse, merge: Merge): Merged {
  const [origin, own, other] = [parse(base), parse(mine), parse(theirs)];
  if (JSON.stringify(origin.value) === JSON.stringify(other.value)) return { mine, theirs: mine };
  if (own.error !== undefined) return { mine, theirs };
  const merged = merge({ base: origin.value, mine: own.value, theirs: other.value });
  // Both sides are tools, or both are output schemas, and the merged value is of the same type.
  const write = (value: unknown) => formatPart(value as Parameters<typeof formatPart>[0]);
  return { mine: write(merged.mine), theirs: write(merged.theirs) };
}
