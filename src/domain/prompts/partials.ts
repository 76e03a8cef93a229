import type { PromptType } from '../../contract/versions.ts';
import type { LabeledPartial } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { type Analysis, type PartialReference, partialKey } from '../templates/types.ts';
import { parseStoredAnalysis, parseStoredContent } from './content.ts';

/** An included prompt, with its own variables and includes. */
interface LoadedPartial extends Pick<Analysis, 'variables' | 'partials'> {
  type: PromptType;
  /** Empty if the graph was loaded without content, and for a chat prompt, which cannot be included. */
  text: string;
}

/** All prompts that templates include, directly or indirectly. */
export interface PartialGraph {
  /** By partialKey. Prompts that do not exist are missing from it. */
  partials: ReadonlyMap<string, LoadedPartial>;
  /** False if loading stopped because there were too many or they were too large. */
  isComplete: boolean;
}

export const maxDepth = 8;
export const maxPartials = 100;
const maxTextCharacters = 1024 * 1024;
/** Of what is known about variables and includes: enough for hundreds of ordinary prompts, and merged in a few milliseconds. */
const maxAnalysisCharacters = 256 * 1024;
/** Few enough that one query never loads much more than the limit. */
const batchSize = 25;

/** What to load: for rendering, the texts too. A list loads what several templates include. */
interface LoadOptions {
  content: boolean;
  templateCount?: number;
}

/** Loads all prompts that the references lead to, level by level. */
export async function loadPartials(
  ctx: Context,
  { workspaceId }: Actor,
  references: PartialReference[],
  { content, templateCount = 1 }: LoadOptions,
): Promise<PartialGraph> {
  const partials = new Map<string, LoadedPartial>();
  const requested = new Set<string>();
  let textCharacters = 0;
  let analysisCharacters = 0;
  let pending = references;
  for (let depth = 0; depth < maxDepth && pending.length > 0; depth += 1) {
    const next: PartialReference[] = [];
    for (const { names, label } of batchesOf(pending, requested)) {
      if (requested.size > maxPartials * templateCount) return { partials, isComplete: false };
      for (const found of await ctx.store.versions.listPartials(workspaceId, { names, label, content })) {
        textCharacters += found.content?.length ?? 0;
        analysisCharacters += found.variables.length + found.partials.length;
        if (textCharacters > maxTextCharacters || analysisCharacters > maxAnalysisCharacters) return { partials, isComplete: false };
        const partial = toPartial(found);
        partials.set(partialKey(found), partial);
        next.push(...partial.partials);
      }
    }
    pending = next;
  }
  return { partials, isComplete: true };
}

/** Groups the references that were not requested yet by label, in batches, and marks them as requested. */
function* batchesOf(references: PartialReference[], requested: Set<string>): Generator<{ names: string[]; label: string }> {
  const namesByLabel = new Map<string, string[]>();
  for (const reference of references) {
    const key = partialKey(reference);
    if (requested.has(key)) continue;
    requested.add(key);
    const names = namesByLabel.get(reference.label) ?? [];
    namesByLabel.set(reference.label, names);
    names.push(reference.name);
  }
  for (const [label, names] of namesByLabel) {
    for (let start = 0; start < names.length; start += batchSize) yield { names: names.slice(start, start + batchSize), label };
  }
}

function toPartial(partial: LabeledPartial): LoadedPartial {
  const content = partial.content === undefined ? undefined : parseStoredContent(partial.type, partial.content);
  return { type: partial.type, text: content?.type === 'text' ? content.template : '', ...parseStoredAnalysis(partial) };
}
