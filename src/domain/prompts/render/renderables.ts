import { LRUCache } from 'lru-cache';
import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { VersionChoice } from '../../../contract/versions.ts';
import { createFairQueue } from '../../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../../platform/scheduling/limits.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { listRequired } from '../../statistics/render-errors.ts';
import { countFields } from '../../templates/shapes.ts';
import type { IncludeReference, TemplateTexts } from '../../templates/template-types.ts';
import type { PreparedTemplates, WithTemplates } from '../../templates/templates.ts';
import { ComposedTooLong, createComposer, toLiquid } from '../includes/compose.ts';
import type { IncludeGraph } from '../includes/include-graph.ts';
import { findIncludeProblem, type IncludeProblem } from '../includes/include-problems.ts';
import { loadIncludes } from '../includes/load-includes.ts';
import { createVariableMerger } from '../includes/merge-variables.ts';
import { resolveVersion } from '../prompt-records.ts';
import { parseStoredAnalysis, parseStoredContent } from '../versions/version-content.ts';
import { type Content, sourcesOf } from './rendered.ts';

export interface WithRenderables {
  renderables: ReturnType<typeof createRenderables>;
}

/** The data that is needed to render a version, except the caller's variables. */
export interface Renderable {
  content: Content;
  templates: PreparedTemplates;
  /** The variables of the content and of all prompts it includes. */
  declared: Variable[];
  /** Whether values must have declared types, or have defaults. */
  isTyped: boolean;
  /** The names of the required variables, as the statistics count them. */
  required: string[];
  /** The reason why the content cannot be rendered, if there is one. */
  problem: IncludeProblem | undefined;
}

/** A version of a saved prompt that is ready to be rendered. */
export interface RenderableVersion extends Renderable {
  promptId: string;
  name: string;
  description: string;
  version: number;
  /** The label by which the version was found, if any. */
  label: string | undefined;
  /** The config as JSON. */
  configJson: string;
}

interface LoadedRenderable {
  revision: number;
  renderable: RenderableVersion;
}

const maxCharacters = 16 * 1024 * 1024;
/** The approximate memory of an entry, in addition to its texts. */
const overhead = 1000;

/**
 * Caches the data for rendering by workspace, name and choice of version, so that a repeated render needs no query except the key lookup.
 * Every write to a workspace's prompts changes its revision, and each request knows the current one, so an outdated entry is never used.
 */
export function createRenderables() {
  const loaded = new LRUCache<string, LoadedRenderable>({ maxSize: maxCharacters, sizeCalculation: sizeOf });
  /** The keys contain the revision, so that data that was loaded before a write is not used after the write. */
  const loading = new Map<string, Promise<RenderableVersion>>();
  const queue = createFairQueue(queueLimits.renderLoads);

  function find(actor: Actor, key: string): RenderableVersion | undefined {
    const known = loaded.get(key);
    return known?.revision === actor.revision ? known.renderable : undefined;
  }

  return {
    /** Returns the cached entry, if there is one. */
    find: (actor: Actor, name: string, choice: VersionChoice) => find(actor, keyOf(actor, name, choice)),

    async get(ctx: WithStore & WithTemplates, actor: Actor, name: string, choice: VersionChoice): Promise<RenderableVersion> {
      const { workspaceId, revision } = actor;
      const key = keyOf(actor, name, choice);
      const loadKey = `${revision} ${key}`;
      const known = find(actor, key) ?? loading.get(loadKey);
      if (known) return known;
      const load = queue.run(workspaceId, async () => {
        const renderable = await loadRenderable(ctx, actor, name, choice);
        loaded.set(key, { revision, renderable });
        return renderable;
      });
      loading.set(loadKey, load);
      return load.finally(() => loading.delete(loadKey));
    },
  };
}

function keyOf({ workspaceId }: Actor, name: string, { label, version }: VersionChoice): string {
  // The key is JSON, because names and labels are chosen by callers and any simpler format could be ambiguous.
  return JSON.stringify([workspaceId, name, label, version]);
}

async function loadRenderable(
  ctx: WithStore & WithTemplates,
  actor: Actor,
  name: string,
  choice: VersionChoice,
): Promise<RenderableVersion> {
  const { prompt, record, label } = await resolveVersion(ctx, actor, name, choice);
  const content = parseStoredContent(prompt.type, record);
  const renderable = await prepareRenderable(ctx, actor, { content, name, ...parseStoredAnalysis(record) });
  const { id: promptId, description } = prompt;
  return { ...renderable, promptId, name, description, version: record.version, label, configJson: record.config };
}

interface AnalyzedContent {
  content: Content;
  variables: Variable[];
  partials: IncludeReference[];
  /** The prompt's own name, to detect that it includes itself. Undefined for a preview. */
  name?: string;
}

/** Loads the prompts that the content includes. */
export async function prepareRenderable(
  ctx: WithStore & WithTemplates,
  actor: Actor,
  { content, name, ...analysis }: AnalyzedContent,
): Promise<Renderable> {
  const graph = await loadIncludes(ctx.store, actor, analysis.partials, { content: true });
  const declared = createVariableMerger(graph)(analysis);
  const isTooMany = !graph.exceeded && declared.length > maxTemplateVariables;
  const including = { self: name, syntax: content.syntax };
  const found = isTooMany ? ({ kind: 'too_many_variables' } as const) : findIncludeProblem(analysis.partials, graph, including);
  const { texts, problem = found } = content.syntax === 'liquid' || found ? toTexts(content, graph) : composeTexts(content, graph);
  const isTyped = declared.some(({ type, default: value }) => type !== undefined || value !== undefined);
  return { content, templates: ctx.templates.prepare(texts), declared, isTyped, required: listRequired(declared), problem };
}

function toTexts(content: Content, { partials }: IncludeGraph): { texts: TemplateTexts; problem?: IncludeProblem } {
  const texts = Object.fromEntries([...partials].map(([key, partial]) => [key, toLiquid(partial)]));
  return { texts: { syntax: content.syntax, sources: sourcesOf(content), partials: texts } };
}

/** Composes the texts before rendering, because mustache has no includes. */
function composeTexts(content: Content, graph: IncludeGraph): { texts: TemplateTexts; problem?: IncludeProblem } {
  const { syntax } = content;
  const compose = createComposer(graph);
  try {
    const sources = sourcesOf(content).map(({ path, text }) => ({ path, text: compose({ text, syntax }) }));
    return { texts: { syntax, sources, partials: {} } };
  } catch (err) {
    if (!(err instanceof ComposedTooLong)) throw err;
    return { texts: { syntax, sources: [], partials: {} }, problem: { kind: 'too_long' } };
  }
}

function sizeOf({ renderable }: LoadedRenderable): number {
  const { declared, configJson, description } = renderable;
  const { texts } = renderable.templates;
  const own = texts.sources.reduce((sum, { text }) => sum + text.length, 0);
  const included = Object.entries(texts.partials).reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  const variables = declared.reduce((sum, variable) => sum + 1 + countFields(variable), 0);
  return overhead + own + included + 100 * variables + configJson.length + description.length;
}
