import { maxTemplateVariables } from '../../contract/limits.ts';
import { messageRoles } from '../../contract/message-roles.ts';
import type { Preview, PreviewRequest, RenderedMessage, RenderedPrompt } from '../../contract/render.ts';
import type { Variable } from '../../contract/versions.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { PartialReference } from '../templates/types.ts';
import {
  analyzeContent,
  type Content,
  parseContent,
  parseStoredAnalysis,
  parseStoredConfig,
  parseStoredContent,
  placeholdersOf,
  serializeConfig,
  sourcesOf,
} from './content.ts';
import { createVariableMerger } from './merge-variables.ts';
import { describeProblem, findPartialProblem } from './partial-problems.ts';
import { loadPartials, type PartialGraph } from './partials.ts';
import type { ResolvedVersion } from './prompt-records.ts';

type Variables = Record<string, unknown>;
type Rendered = { text: string } | { messages: RenderedMessage[] };

interface Renderable {
  content: Content;
  partials: PartialReference[];
  graph: PartialGraph;
  /** The variables of the content and of all prompts it includes. */
  declared: Variable[];
  /** The prompt's own name, to detect that it includes itself. Undefined for a preview. */
  name?: string;
}

const roles = new Set<string>(messageRoles);

/** Renders a version of a prompt with the caller's variables. */
export async function renderVersion(
  ctx: Context,
  actor: Actor,
  { prompt: { name, type }, record }: ResolvedVersion,
  variables: Variables,
): Promise<RenderedPrompt> {
  const content = parseStoredContent(type, record.content);
  const analysis = parseStoredAnalysis(record);
  const graph = await loadPartials(ctx, actor, analysis.partials, { content: true });
  const declared = createVariableMerger(graph)(analysis);
  const rendered = await render(ctx, actor, { content, partials: analysis.partials, graph, declared, name }, variables);
  return { name, version: record.version, ...rendered, config: parseStoredConfig(record.config) };
}

/** Renders a template that is not saved. */
export async function previewPrompt(ctx: Context, actor: Actor, request: PreviewRequest): Promise<Preview> {
  const content = parseContent(request);
  const { config = {}, variables = {} } = request;
  // Only for its size check.
  serializeConfig(config);
  const analysis = await analyzeContent(ctx, actor, content);
  const graph = await loadPartials(ctx, actor, analysis.partials, { content: true });
  const declared = createVariableMerger(graph)(analysis);
  const rendered = await render(ctx, actor, { content, partials: analysis.partials, graph, declared }, variables);
  return { ...rendered, config, variables: declared };
}

async function render(
  ctx: Context,
  { workspaceId }: Actor,
  { content, partials, graph, declared, name }: Renderable,
  variables: Variables,
): Promise<Rendered> {
  const problem =
    declared.length > maxTemplateVariables ? ({ kind: 'too_many_variables' } as const) : findPartialProblem(partials, graph, name);
  if (problem) throw new AppError('unresolved_partial', { text: describeProblem(problem) });
  assertComplete(declared, variables);
  const inserted = new Map(
    placeholdersOf(content).map((placeholder) => [
      placeholder,
      parseMessages(placeholder, Object.hasOwn(variables, placeholder) ? variables[placeholder] : undefined),
    ]),
  );
  const result = await ctx.templates.render(workspaceId, {
    sources: sourcesOf(content),
    variables,
    partials: Object.fromEntries([...graph.partials].map(([key, { text }]) => [key, text])),
  });
  if (!result.ok) {
    throw new AppError('render_failed', { text: `The prompt cannot be rendered: ${result.error.message}`, details: [result.error] });
  }
  const texts = result.texts.values();
  if (content.type === 'text') return { text: texts.next().value ?? '' };
  return {
    messages: content.messages.flatMap((message) =>
      'placeholder' in message ? (inserted.get(message.placeholder) ?? []) : [{ role: message.role, content: texts.next().value ?? '' }],
    ),
  };
}

function assertComplete(declared: Variable[], variables: Variables): void {
  const missing = declared.filter(({ name, required }) => required && !Object.hasOwn(variables, name));
  if (missing.length === 0) return;
  const details = missing.map(({ name }) => ({ path: `/variables/${name}`, message: 'Required' }));
  const names = missing.slice(0, 20).map(({ name }) => name.slice(0, 100));
  const others = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  throw new AppError('missing_variables', { text: `Variables are missing: ${names.join(', ')}${others}`, details });
}

/** The caller's messages for a placeholder. They are optional, because a conversation starts without any. */
function parseMessages(name: string, value: unknown): RenderedMessage[] {
  if (value === undefined || value === null) return [];
  const path = `/variables/${name}`;
  if (!Array.isArray(value)) throw invalidField(path, 'Must be an array of messages, each with role and content');
  return value.map((item: unknown, index) => {
    const { role, content }: { role?: unknown; content?: unknown } = typeof item === 'object' && item !== null ? item : {};
    if (typeof role !== 'string' || !roles.has(role) || typeof content !== 'string') {
      throw invalidField(`${path}/${index}`, `Must have a role (${[...roles].join(', ')}) and content as text`);
    }
    return { role, content };
  });
}
