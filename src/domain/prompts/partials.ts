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

/** Loads all prompts that the references of one template lead to. */
export async function loadPartials(
  ctx: Context,
  actor: Actor,
  references: PartialReference[],
  { content }: { content: boolean },
): Promise<PartialGraph> {
  const loader = createPartialLoader(ctx, actor, { content, maxPartials });
  await loader.add(references);
  return loader.graph;
}

/** Loads what several templates include into one graph. */
export interface PartialLoader {
  graph: PartialGraph;
  /** Loads all that these references lead to, level by level. Returns whether the graph is still complete. */
  add(references: PartialReference[]): Promise<boolean>;
}

export function createPartialLoader(
  ctx: Context,
  { workspaceId }: Actor,
  options: { content: boolean; maxPartials: number },
): PartialLoader {
  const partials = new Map<string, LoadedPartial>();
  const graph = { partials, isComplete: true };
  const requested = new Set<string>();
  let textCharacters = 0;
  let analysisCharacters = 0;

  /** Loads one batch and returns what it includes, or undefined if that is too much. */
  async function loadBatch(names: string[], label: string): Promise<PartialReference[] | undefined> {
    if (requested.size > options.maxPartials) return undefined;
    const included: PartialReference[] = [];
    for (const found of await ctx.store.versions.listPartials(workspaceId, { names, label, content: options.content })) {
      textCharacters += found.content?.length ?? 0;
      analysisCharacters += found.variables.length + found.partials.length;
      if (textCharacters > maxTextCharacters || analysisCharacters > maxAnalysisCharacters) return undefined;
      const partial = toPartial(found);
      partials.set(partialKey(found), partial);
      included.push(...partial.partials);
    }
    return included;
  }

  return {
    graph,
    async add(references) {
      let pending = references;
      for (let depth = 0; depth < maxDepth && pending.length > 0 && graph.isComplete; depth += 1) {
        const next: PartialReference[] = [];
        for (const { names, label } of batchesOf(pending, requested)) {
          const included = await loadBatch(names, label);
          graph.isComplete = included !== undefined;
          if (!included) break;
          next.push(...included);
        }
        pending = next;
      }
      return graph.isComplete;
    },
  };
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
