import { messageRoles } from '../../contract/message-roles.ts';
import type { Preview, PreviewRequest, RenderedPrompt } from '../../contract/render.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Analysis, PartialReference } from '../templates/types.ts';
import { analyzeContent, type Content, parseContent, parseStoredContent, placeholdersOf, serializeConfig, sourcesOf } from './content.ts';
import { describeProblem, findPartialProblem, loadPartials, mergeVariables } from './partials.ts';
import type { ChosenVersion } from './versions.ts';

type Variables = Record<string, unknown>;
type ChatMessage = { role: string; content: string };
type Rendered = { text: string } | { messages: ChatMessage[] };

const roles = new Set<string>(messageRoles);

/** Fills a version of a prompt with the caller's variables. */
export async function renderVersion(
  ctx: Context,
  actor: Actor,
  { prompt, record, version }: ChosenVersion,
  variables: Variables,
): Promise<RenderedPrompt> {
  const content = parseStoredContent(prompt.type, record.content);
  // Written by insertVersion from an Analysis.
  const partials = JSON.parse(record.partials) as PartialReference[];
  const result = await render(ctx, actor, content, { variables: version.variables, partials }, variables, prompt.name);
  return { name: prompt.name, version: version.version, ...result, config: version.config };
}

/** Fills a prompt that is not saved (yet). */
export async function previewPrompt(ctx: Context, actor: Actor, request: PreviewRequest): Promise<Preview> {
  const content = parseContent(request);
  serializeConfig(request.config);
  const analysis = await analyzeContent(ctx, content);
  const variables = mergeVariables(analysis, await loadPartials(ctx, actor, analysis.partials));
  const result = await render(ctx, actor, content, { variables, partials: analysis.partials }, request.variables ?? {}, undefined);
  return { ...result, config: request.config ?? {}, variables };
}

async function render(
  ctx: Context,
  actor: Actor,
  content: Content,
  needs: Pick<Analysis, 'variables' | 'partials'>,
  variables: Variables,
  self: string | undefined,
): Promise<Rendered> {
  const graph = await loadPartials(ctx, actor, needs.partials);
  const problem = findPartialProblem(needs.partials, graph, self);
  if (problem) throw new AppError('unresolved_partial', { text: describeProblem(problem) });
  const missing = needs.variables.filter(({ name, required }) => required && !Object.hasOwn(variables, name));
  if (missing.length > 0) {
    const details = missing.map(({ name }) => ({ path: `/variables/${name}`, message: 'Required' }));
    const names = missing.slice(0, 20).map(({ name }) => name.slice(0, 100));
    const others = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
    throw new AppError('missing_variables', { text: `Variables are missing: ${names.join(', ')}${others}`, details });
  }
  const inserted = new Map(
    placeholdersOf(content).map((name) => [name, parseMessages(name, Object.hasOwn(variables, name) ? variables[name] : undefined)]),
  );

  const partials = Object.fromEntries([...graph].map(([key, { text }]) => [key, text]));
  const result = await ctx.templates.run({ kind: 'render', sources: sourcesOf(content), variables, partials });
  if (!result.ok)
    throw new AppError('render_failed', { text: `The prompt cannot be rendered: ${result.problem.message}`, details: [result.problem] });
  const texts = result.texts.values();
  if (content.type === 'text') return { text: texts.next().value ?? '' };
  return {
    messages: content.messages.flatMap((message) =>
      'placeholder' in message ? (inserted.get(message.placeholder) ?? []) : [{ role: message.role, content: texts.next().value ?? '' }],
    ),
  };
}

/** The caller's own messages for a placeholder. None are as good as an empty list: a conversation has to begin. */
function parseMessages(name: string, value: unknown): ChatMessage[] {
  if (value === undefined || value === null) return [];
  const path = `/variables/${name}`;
  if (!Array.isArray(value)) throw invalidField(path, 'Give an array of messages, each with role and content');
  return value.map((item: unknown, index) => {
    const { role, content }: { role?: unknown; content?: unknown } = typeof item === 'object' && item !== null ? item : {};
    if (typeof role !== 'string' || !roles.has(role) || typeof content !== 'string') {
      throw invalidField(`${path}/${index}`, `Give a role (${[...roles].join(', ')}) and content as text`);
    }
    return { role, content };
  });
}
