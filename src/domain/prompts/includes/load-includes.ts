import { isPortable, replaceIncludes } from '../../../contract/composition.ts';
import type { PromptStores } from '../../../store/prompts/prompt-transaction.ts';
import type { IncludedVersion } from '../../../store/prompts/versions.ts';
import type { Actor } from '../../actor.ts';
import { type IncludeReference, includeKey } from '../../templates/template-types.ts';
import { parseStoredAnalysis, parseStoredContent } from '../versions/version-content.ts';
import {
  type IncludedPrompt,
  type IncludeGraph,
  maxAnalysisCharacters,
  maxDepth,
  maxIncludes,
  maxTextCharacters,
} from './include-graph.ts';

/** The number of prompts per query. It is small, so that one query never loads much more than the limit. */
const batchSize = 10;

/** The store, or a snapshot of the store. */
export type VersionReader = Pick<PromptStores, 'versions'>;

/** Loads all prompts that one template includes, directly or indirectly. */
export async function loadIncludes(
  stores: VersionReader,
  actor: Actor,
  references: IncludeReference[],
  { content }: { content: boolean },
): Promise<IncludeGraph> {
  const loader = createIncludeLoader(stores, actor, { content, maxIncludes });
  await loader.add(references);
  return loader.graph;
}

/** Loads the prompts that several templates include into one graph. */
export function createIncludeLoader(stores: VersionReader, { workspaceId }: Actor, options: { content: boolean; maxIncludes: number }) {
  const partials = new Map<string, IncludedPrompt>();
  const graph: IncludeGraph = { partials };
  const requested = new Set<string>();
  let textCharacters = 0;
  let analysisCharacters = 0;

  /** Loads one batch of prompts and returns what they include. */
  async function loadBatch(names: string[], label: string): Promise<IncludeReference[]> {
    const found = await stores.versions.listIncludedVersions(workspaceId, { names, label, content: options.content });
    const included: IncludeReference[] = [];
    for (const record of found) {
      const partial = toIncludedPrompt(record);
      partials.set(includeKey(record), partial);
      textCharacters += partial.text.length;
      analysisCharacters += record.variables.length + record.partials.length;
      included.push(...partial.partials);
    }
    return included;
  }

  function findExceeded(): IncludeGraph['exceeded'] {
    if (requested.size > options.maxIncludes) return 'too_many';
    if (textCharacters > maxTextCharacters) return 'too_long';
    return analysisCharacters > maxAnalysisCharacters ? 'too_many_variables' : undefined;
  }

  return {
    graph,
    /** Loads all prompts that these references lead to, level by level. Returns false if this exceeds a limit. */
    async add(references: IncludeReference[]): Promise<boolean> {
      let pending = references;
      for (let depth = 0; depth < maxDepth && pending.length > 0; depth += 1) {
        const next: IncludeReference[] = [];
        for (const { names, label } of batchesOf(pending, requested)) {
          graph.exceeded = findExceeded();
          if (graph.exceeded) return false;
          next.push(...(await loadBatch(names, label)));
        }
        pending = next;
      }
      graph.exceeded = findExceeded();
      return !graph.exceeded;
    },
  };
}

/** Yields, in batches by label, the references that have not been requested yet, and marks them as requested. */
function* batchesOf(references: IncludeReference[], requested: Set<string>): Generator<{ names: string[]; label: string }> {
  const fresh = references.filter((reference) => !requested.has(includeKey(reference)) && requested.add(includeKey(reference)));
  for (const [label, group] of Map.groupBy(fresh, (reference) => reference.label)) {
    const names = group.map(({ name }) => name);
    for (let start = 0; start < names.length; start += batchSize) yield { names: names.slice(start, start + batchSize), label };
  }
}

function toIncludedPrompt(partial: IncludedVersion): IncludedPrompt {
  const { type, syntax, promptId, version } = partial;
  const content = partial.content === undefined ? undefined : parseStoredContent(type, { syntax, content: partial.content });
  const text = content?.type === 'text' ? content.template : '';
  const portable = () => isPortable(replaceIncludes(text, syntax, () => ''));
  return { type, syntax, promptId, version, text, isPortable: portable, ...parseStoredAnalysis(partial) };
}
