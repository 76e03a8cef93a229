import { hasPath, isPortable, replaceIncludes, toTag } from '../../../contract/composition.ts';
import type { ResolutionGraph } from '../../../contract/langfuse.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { TemplateSyntax, VersionChoice } from '../../../contract/versions.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { type IncludeReference, includeKey } from '../../templates/template-types.ts';
import { orderAsGiven } from '../given-order.ts';
import { ComposedTooLong, createComposer } from '../includes/compose.ts';
import type { IncludeGraph } from '../includes/include-graph.ts';
import { findIncludeProblem, unresolvedInclude } from '../includes/include-problems.ts';
import { loadIncludes, type VersionReader } from '../includes/load-includes.ts';
import { type ResolvedVersion, resolveVersion } from '../prompt-records.ts';
import { describePrompt } from '../prompts.ts';
import { type Content, mapTemplates, sourcesOf } from '../render/rendered.ts';
import { toVersion } from './present-version.ts';
import { parseStoredAnalysis, parseStoredContent, serializeContent } from './version-content.ts';

/**
 * Returns the version that a label or a number refers to, for programs that render it themselves with mustache. If `resolve` is true,
 * includes are replaced with the texts of the included prompts. Otherwise, includes have the form of Langfuse's tags.
 */
export async function getPortableVersion(
  ctx: WithStore,
  actor: Actor,
  name: string,
  { resolve, ...choice }: VersionChoice & { resolve: boolean },
) {
  // The caller is empty, because programs that render for themselves send no key.
  const found = await resolveVersion(ctx, actor, name, choice, {});
  const { prompt, record, labels, label, chosen } = found;
  const { written, partials, graph } = await writeContent(ctx.store, actor, found, { resolve });
  const version = toVersion({ prompt, record: { ...record, content: serializeContent(written) }, labels }, listDeclared(written));
  return {
    ...(await orderAsGiven(ctx.store, actor, { prompt: await describePrompt(ctx.store, actor, prompt), version })),
    /** The label by which the version was found, if any. */
    label,
    release: chosen?.release,
    graph: graph && partials.length > 0 ? describeGraph(found, partials, graph) : undefined,
    /** Whether mustache renders the version in the same way as this service. */
    isPortable: record.syntax === 'mustache' || sourcesOf(written).every(({ text }) => isPortable(text)),
    /** Whether the version is Liquid with paths, which only some mustache libraries render. */
    hasPaths: record.syntax !== 'mustache' && sourcesOf(written).some(({ text }) => hasPath(text)),
  };
}

/** Returns the content of a version with the texts of the included prompts in place of its includes. */
export async function composeContent(
  stores: VersionReader,
  actor: Actor,
  found: Pick<ResolvedVersion, 'prompt' | 'record'>,
): Promise<Content> {
  return (await writeContent(stores, actor, found, { resolve: true })).written;
}

async function writeContent(
  stores: VersionReader,
  actor: Actor,
  { prompt, record }: Pick<ResolvedVersion, 'prompt' | 'record'>,
  { resolve }: { resolve: boolean },
) {
  const { partials } = parseStoredAnalysis(record);
  const graph = resolve ? await loadGraph(stores, actor, { prompt, record }, partials) : undefined;
  const write = graph ? createResolver(record.syntax, graph) : createTagger(record.syntax);
  return { written: mapTemplates(parseStoredContent(prompt.type, record), write), partials, graph };
}

/** Lists only the declared variables, because programs that render a version themselves find all other variables in its templates. */
function listDeclared({ variables = [] }: Content): Variable[] {
  return variables.map((variable) => ({ ...variable, required: variable.default === undefined }));
}

/** Returns a function that replaces includes with the texts of the included prompts. */
function createResolver(syntax: TemplateSyntax, graph: IncludeGraph): (text: string) => string {
  const compose = createComposer(graph);
  return (text) => {
    try {
      return compose({ text, syntax });
    } catch (err) {
      throw err instanceof ComposedTooLong ? unresolvedInclude({ kind: 'too_long' }) : err;
    }
  };
}

/** Returns a function that writes includes in Langfuse's form. Mustache templates already have that form. */
function createTagger(syntax: TemplateSyntax): (text: string) => string {
  return (text) => (syntax === 'mustache' ? text : replaceIncludes(text, syntax, toTag));
}

async function loadGraph(
  stores: VersionReader,
  actor: Actor,
  { prompt, record }: Pick<ResolvedVersion, 'prompt' | 'record'>,
  partials: IncludeReference[],
) {
  const graph = await loadIncludes(stores, actor, partials, { content: true });
  const problem = findIncludeProblem(partials, graph, { self: prompt.name, syntax: record.syntax });
  if (problem) throw unresolvedInclude(problem);
  return graph;
}

/** Describes which prompts each version includes directly, starting at the root. */
function describeGraph({ prompt, record }: ResolvedVersion, references: IncludeReference[], { partials }: IncludeGraph): ResolutionGraph {
  const root = { id: versionId(prompt.id, record.version), name: prompt.name, version: record.version };
  const dependencies: ResolutionGraph['dependencies'] = {};
  const pending = [{ id: root.id, references }];
  for (const { id, references } of pending) {
    const included = references.flatMap((reference) => {
      const partial = partials.get(includeKey(reference));
      return partial ? [{ partial, name: reference.name, id: versionId(partial.promptId, partial.version) }] : [];
    });
    if (included.length === 0 || dependencies[id]) continue;
    const unique = new Map(included.map((child) => [child.id, child]));
    dependencies[id] = [...unique.values()].map((child) => ({ id: child.id, name: child.name, version: child.partial.version }));
    for (const child of unique.values()) pending.push({ id: child.id, references: child.partial.partials });
  }
  return { root, dependencies };
}

/** Returns an id for a version, because every version has an id in Langfuse. */
export function versionId(promptId: string, version: number): string {
  return `${promptId}:${version}`;
}
