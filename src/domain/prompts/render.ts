import { messageRoles } from '../../contract/message-roles.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import type { Preview, PreviewRequest, RenderedMessage } from '../../contract/render.ts';
import type { Variable } from '../../contract/versions.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { analyzeContent, type Content, parseContent, placeholdersOf, serializeConfig } from './content.ts';
import { describeProblem, nameProblem } from './partial-problems.ts';
import { placeholderValues } from './placeholder-values.ts';
import { prepareRenderable, type Renderable, type RenderableVersion } from './renderables.ts';

type Variables = Record<string, unknown>;
/** A message for a model. Those that a caller inserts may have parts, such as images, and fields of their own. */
export type ModelMessage = Record<string, unknown> & { role: string };
type Rendered<M = never> = { text: string } | { messages: (RenderedMessage | M)[] };

const roles = new Set<string>(messageRoles);

/** Renders a version of a prompt with the caller's variables. Returns the response as JSON. */
export async function renderVersion(
  ctx: Context,
  { workspaceId }: Actor,
  renderable: RenderableVersion,
  variables: Variables,
): Promise<string> {
  return serializeRendered(renderable, await render(ctx, workspaceId, renderable, variables, parseMessages));
}

/** The same at once, or undefined if it might take long or would fail. */
export function renderVersionNow(
  ctx: Context,
  { workspaceId }: Actor,
  renderable: RenderableVersion,
  variables: Variables,
): string | undefined {
  const { content, templates, declared, problem } = renderable;
  if (problem !== undefined || hasPlaceholders(content) || !isComplete(declared, variables)) return undefined;
  const result = ctx.templates.renderNow(workspaceId, templates, variables);
  return result?.ok ? serializeRendered(renderable, toRendered(content, result.texts)) : undefined;
}

function serializeRendered({ name, version, configJson }: RenderableVersion, rendered: Rendered): string {
  const result = 'text' in rendered ? `"text":${JSON.stringify(rendered.text)}` : `"messages":${JSON.stringify(rendered.messages)}`;
  return `{"name":${JSON.stringify(name)},"version":${version},${result},"config":${configJson}}`;
}

/** Renders a template that is not saved, as the same template would be if it were. */
export async function previewPrompt(ctx: Context, actor: Actor, request: PreviewRequest): Promise<Preview> {
  const content = parseContent(request);
  const { config = {}, variables = {} } = request;
  // Only for its size check.
  serializeConfig(config);
  const name = request.name === undefined ? {} : { name: normalizeName(request.name) };
  const renderable = await prepareRenderable(ctx, actor, { content, ...name, ...(await analyzeContent(ctx, actor, content)) });
  const placeholders = request.placeholders ? placeholderValues(content, renderable.declared, variables) : undefined;
  const rendered = await render(ctx, actor.workspaceId, renderable, { ...variables, ...placeholders }, parseMessages);
  return { ...rendered, config, variables: renderable.declared, ...(placeholders && { placeholders }) };
}

/** The messages that a model gets. A text prompt is one message of the user. */
export async function renderMessages(
  ctx: Context,
  { workspaceId }: Actor,
  renderable: Renderable,
  variables: Variables,
): Promise<ModelMessage[]> {
  const rendered = await render(ctx, workspaceId, renderable, variables, parseModelMessages);
  return 'text' in rendered ? [{ role: 'user', content: rendered.text }] : rendered.messages;
}

async function render<M = RenderedMessage>(
  ctx: Context,
  workspaceId: string,
  { content, templates, declared, problem }: Renderable,
  variables: Variables,
  parse: (name: string, value: unknown) => M[],
): Promise<Rendered<M>> {
  if (problem !== undefined) throw new AppError('unresolved_partial', { text: describeProblem(problem), names: nameProblem(problem) });
  assertComplete(declared, variables);
  const inserted = new Map(
    placeholdersOf(content).map((placeholder) => [
      placeholder,
      parse(placeholder, Object.hasOwn(variables, placeholder) ? variables[placeholder] : undefined),
    ]),
  );
  const result = await ctx.templates.render(workspaceId, templates, variables);
  if (!result.ok) {
    throw new AppError('render_failed', { text: `The prompt cannot be rendered: ${result.error.message}`, details: [result.error] });
  }
  return toRendered(content, result.texts, inserted);
}

function toRendered<M = never>(content: Content, texts: string[], inserted?: ReadonlyMap<string, M[]>): Rendered<M> {
  const next = texts.values();
  if (content.type === 'text') return { text: next.next().value ?? '' };
  return {
    messages: content.messages.flatMap<RenderedMessage | M>((message) =>
      'placeholder' in message ? (inserted?.get(message.placeholder) ?? []) : [{ role: message.role, content: next.next().value ?? '' }],
    ),
  };
}

function hasPlaceholders(content: Content): boolean {
  return content.type === 'chat' && content.messages.some((message) => 'placeholder' in message);
}

function isComplete(declared: Variable[], variables: Variables): boolean {
  return declared.every(({ name, required }) => !required || Object.hasOwn(variables, name));
}

function assertComplete(declared: Variable[], variables: Variables): void {
  const missing = declared.filter(({ name, required }) => required && !Object.hasOwn(variables, name));
  if (missing.length === 0) return;
  const details = missing.map(({ name }) => ({ path: `/variables/${name}`, message: 'Required' }));
  const names = missing.slice(0, 20).map(({ name }) => name.slice(0, 100));
  const others = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  throw new AppError('missing_variables', {
    text: `Variables are missing: ${names.join(', ')}${others}`,
    details,
    names: missing.map(({ name }) => name),
  });
}

/** The caller's messages for a placeholder. They are optional, because a conversation starts without any. */
function parseMessages(name: string, value: unknown): RenderedMessage[] {
  return listMessages(name, value).map(({ path, message: { role, content } }) => {
    if (!isRole(role) || typeof content !== 'string') throw invalidField(path, `Must have a ${roleText} and content as text`);
    return { role, content };
  });
}

/** The same for a model, which also takes parts, calls of tools and their results: whatever else a message has is passed on. */
function parseModelMessages(name: string, value: unknown): ModelMessage[] {
  return listMessages(name, value).map(({ path, message }) => {
    const { role, content = null } = message;
    const isContent = content === null || typeof content === 'string' || (Array.isArray(content) && content.every(isPart));
    if (!isRole(role) || !isContent) throw invalidField(path, `Must have a ${roleText} and content as text or parts`);
    return { ...message, role };
  });
}

const roleText = `role (${[...roles].join(', ')})`;

function isRole(role: unknown): role is string {
  return typeof role === 'string' && roles.has(role);
}

function isPart(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string';
}

function listMessages(name: string, value: unknown): { path: string; message: Record<string, unknown> }[] {
  if (value === undefined || value === null) return [];
  const path = `/variables/${name}`;
  if (!Array.isArray(value)) throw invalidField(path, 'Must be an array of messages, each with role and content');
  return value.map((item: unknown, index) => ({
    path: `${path}/${index}`,
    message: typeof item === 'object' && item !== null ? { ...item } : {},
  }));
}
