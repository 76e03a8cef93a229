import { messageRoles } from '../../contract/message-roles.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import type { Preview, PreviewRequest, RenderedMessage } from '../../contract/render.ts';
import type { Variable } from '../../contract/versions.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { analyzeContent, assertPlainText, type Content, parseContent, placeholdersOf, serializeConfig } from './content.ts';
import { unresolvedPartial } from './partial-problems.ts';
import { placeholderValues } from './placeholder-values.ts';
import { prepareRenderable, type Renderable, type RenderableVersion } from './renderables.ts';

type Variables = Record<string, unknown>;
export type Rendered = { text: string } | { messages: RenderedMessage[] };

const roles = new Set<string>(messageRoles);

/** Renders a version of a prompt with the caller's variables. Returns the response as JSON. */
export async function renderVersion(ctx: Context, actor: Actor, renderable: RenderableVersion, variables: Variables): Promise<string> {
  return serializeRendered(renderable, await renderContent(ctx, actor, renderable, variables));
}

/** The same at once, or undefined if it might take long or would fail. */
export function renderVersionNow(ctx: Context, actor: Actor, renderable: RenderableVersion, variables: Variables): string | undefined {
  const rendered = renderContentNow(ctx, actor, renderable, variables);
  return rendered && serializeRendered(renderable, rendered);
}

/** What `renderContent` returns, at once, or undefined if it might take long or would fail. */
export function renderContentNow(
  ctx: Context,
  { workspaceId }: Actor,
  { content, templates, declared, problem }: Renderable,
  variables: Variables,
): Rendered | undefined {
  if (problem !== undefined || hasPlaceholders(content) || !isComplete(declared, variables)) return undefined;
  const result = ctx.templates.renderNow(workspaceId, templates, variables);
  return result?.ok ? toRendered(content, result.texts) : undefined;
}

function serializeRendered({ name, version, configJson }: RenderableVersion, rendered: Rendered): string {
  const result = 'text' in rendered ? `"text":${JSON.stringify(rendered.text)}` : `"messages":${JSON.stringify(rendered.messages)}`;
  return `{"name":${JSON.stringify(name)},"version":${version},${result},"config":${configJson}}`;
}

/** Renders a template that is not saved, as the same template would be if it were. */
export async function previewPrompt(ctx: Context, actor: Actor, request: PreviewRequest): Promise<Preview> {
  assertPlainText('/name', request.name);
  const content = parseContent(request);
  const { config = {}, variables = {} } = request;
  // Only for its size check.
  serializeConfig(config);
  const name = request.name === undefined ? {} : { name: normalizeName(request.name) };
  const renderable = await prepareRenderable(ctx, actor, { content, ...name, ...(await analyzeContent(ctx, actor, content)) });
  const placeholders = request.placeholders ? placeholderValues(content, renderable.declared, variables) : undefined;
  const rendered = await renderContent(ctx, actor, renderable, { ...variables, ...placeholders });
  return { ...rendered, config, variables: renderable.declared, ...(placeholders && { placeholders }) };
}

/** The text or messages of a version with the caller's variables. */
export async function renderContent(
  ctx: Context,
  { workspaceId }: Actor,
  { content, templates, declared, problem }: Renderable,
  variables: Variables,
): Promise<Rendered> {
  if (problem !== undefined) throw unresolvedPartial(problem);
  assertComplete(declared, variables);
  const inserted = new Map(
    placeholdersOf(content).map((placeholder) => [
      placeholder,
      parseMessages(placeholder, Object.hasOwn(variables, placeholder) ? variables[placeholder] : undefined),
    ]),
  );
  const result = await ctx.templates.render(workspaceId, templates, variables);
  if (!result.ok) {
    throw new AppError('render_failed', { text: `The prompt cannot be rendered: ${result.error.message}`, details: [result.error] });
  }
  return toRendered(content, result.texts, inserted);
}

function toRendered(content: Content, texts: string[], inserted?: ReadonlyMap<string, RenderedMessage[]>): Rendered {
  const next = texts.values();
  if (content.type === 'text') return { text: next.next().value ?? '' };
  return {
    messages: content.messages.flatMap((message) =>
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
