import { LRUCache } from 'lru-cache';
import { productionLabel } from '../../../contract/label-names.ts';
import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { AssignedRelease, Caller, Split } from '../../../contract/release-assignment.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { VersionChoice } from '../../../contract/versions.ts';
import { createFairQueue } from '../../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../../platform/scheduling/limits.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { type Chosen, chooseVersion, findSplit } from '../../releases/release-choice.ts';
import { listRequired } from '../../statistics/render-errors.ts';
import { countFields } from '../../templates/shapes.ts';
import type { IncludeReference, TemplateTexts } from '../../templates/template-types.ts';
import type { PreparedTemplates, WithTemplates } from '../../templates/templates.ts';
import { ComposedTooLong, createComposer, toLiquid } from '../includes/compose.ts';
import type { IncludeGraph } from '../includes/include-graph.ts';
import { findIncludeProblem, type IncludeProblem } from '../includes/include-problems.ts';
import { loadIncludes } from '../includes/load-includes.ts';
import { createVariableMerger } from '../includes/merge-variables.ts';
import { getPromptRecord, resolveVersion } from '../prompt-records.ts';
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
  /** Whether any variable has a declared type or a default. */
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
  /** How a release of the label chose the version. */
  release?: AssignedRelease;
}

/** The cached entry for a choice: the version, or the way in which a release of the label divides callers. */
type Entry = { renderable: RenderableVersion; split?: undefined } | { split: Split };
type Loaded = Entry & { revision: number };

const maxCharacters = 16 * 1024 * 1024;
/** The approximate memory of an entry, in addition to its texts. */
const overhead = 1000;

/**
 * Caches the data for rendering by workspace, name and choice of version, so that a repeated render needs no query except the key lookup.
 * Every write to a workspace's prompts changes its revision, and each request knows the current revision, so an outdated entry is never
 * used.
 */
export function createRenderables() {
  const loaded = new LRUCache<string, Loaded>({ maxSize: maxCharacters, sizeCalculation: sizeOf });
  /** The keys contain the revision, so that data that was loaded before a write is not used after the write. */
  const loading = new Map<string, Promise<Entry>>();
  const queue = createFairQueue(queueLimits.renderLoads);

  function findLoaded({ revision }: Actor, key: string): Loaded | undefined {
    const known = loaded.get(key);
    return known?.revision === revision ? known : undefined;
  }

  /** Loads an entry once, even if several requests need it at the same time. */
  async function load(actor: Actor, key: string, read: () => Promise<Entry>): Promise<Entry> {
    const { workspaceId, revision } = actor;
    const loadKey = `${revision} ${key}`;
    const known = findLoaded(actor, key) ?? loading.get(loadKey);
    if (known) return known;
    const started = queue.run(workspaceId, async () => {
      const entry: Loaded = { ...(await read()), revision };
      loaded.set(key, entry);
      return entry;
    });
    loading.set(loadKey, started);
    return started.finally(() => loading.delete(loadKey));
  }

  return {
    /** Returns the cached entry, if there is one. */
    find(actor: Actor, name: string, choice: VersionChoice, caller?: Caller): RenderableVersion | undefined {
      const known = findLoaded(actor, keyOf(actor, name, choice));
      if (!known?.split) return known?.renderable;
      const chosen = chooseVersion(known.split, caller ?? {});
      const version = findLoaded(actor, keyOf(actor, name, choice, chosen.version));
      return version && !version.split ? withRelease(version.renderable, caller && chosen) : undefined;
    },

    /**
     * Returns the version at a label or with a number. If a caller is given and the label has a release, the release chooses the version.
     */
    async get(
      ctx: WithStore & WithTemplates,
      actor: Actor,
      name: string,
      choice: VersionChoice,
      caller?: Caller,
    ): Promise<RenderableVersion> {
      const found = await load(actor, keyOf(actor, name, choice), () => loadChoice(ctx, actor, name, choice));
      if (!found.split) return found.renderable;
      // A caller without any attributes gets the control.
      const chosen = chooseVersion(found.split, caller ?? {});
      const { version } = chosen;
      const loadVersion = async () => ({
        renderable: { ...(await loadRenderable(ctx, actor, name, { version })), label: choice.label ?? productionLabel },
      });
      const entry = await load(actor, keyOf(actor, name, choice, version), loadVersion);
      if (entry.split) throw new Error('A version has no release');
      return withRelease(entry.renderable, caller && chosen);
    },
  };
}

function withRelease(renderable: RenderableVersion, chosen: Chosen | undefined): RenderableVersion {
  return chosen ? { ...renderable, release: chosen.release } : renderable;
}

/** Returns the key of a choice, or of a version that a release of the label may choose. */
function keyOf({ workspaceId }: Actor, name: string, { label, version }: VersionChoice, chosen?: number): string {
  // The key is JSON, because names and labels are chosen by callers and any simpler format could be ambiguous.
  return JSON.stringify([workspaceId, name, label, version, chosen]);
}

async function loadChoice(ctx: WithStore & WithTemplates, actor: Actor, name: string, choice: VersionChoice): Promise<Entry> {
  const split = choice.version === undefined ? await findSplitByName(ctx, actor, name, choice.label) : undefined;
  return split ? { split } : { renderable: await loadRenderable(ctx, actor, name, choice) };
}

async function findSplitByName({ store }: WithStore, actor: Actor, name: string, label = productionLabel): Promise<Split | undefined> {
  const { id: promptId } = await getPromptRecord(store, actor, name);
  return findSplit(store, { accountId: actor.workspaceId, promptId }, label);
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

function sizeOf(entry: Loaded): number {
  if (entry.split) return overhead + JSON.stringify(entry.split).length;
  const { renderable } = entry;
  const { declared, configJson, description } = renderable;
  const { texts } = renderable.templates;
  const own = texts.sources.reduce((sum, { text }) => sum + text.length, 0);
  const included = Object.entries(texts.partials).reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  const variables = declared.reduce((sum, variable) => sum + 1 + countFields(variable), 0);
  return overhead + own + included + 100 * variables + configJson.length + description.length;
}
