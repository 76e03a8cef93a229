import { messageRoles } from '../../contract/message-roles.ts';
import type { Preview, PreviewRequest, RenderedMessage, RenderedPrompt } from '../../contract/render.ts';
import type { Variable } from '../../contract/versions.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { analyzeContent, parseContent, placeholdersOf, serializeConfig, sourcesOf } from './content.ts';
import { prepareRenderable, type Renderable, type RenderableVersion } from './renderables.ts';

type Variables = Record<string, unknown>;
type Rendered = { text: string } | { messages: RenderedMessage[] };

const roles = new Set<string>(messageRoles);

/** Renders a version of a prompt with the caller's variables. */
export async function renderVersion(
  ctx: Context,
  actor: Actor,
  renderable: RenderableVersion,
  variables: Variables,
): Promise<RenderedPrompt> {
  const { name, version, config } = renderable;
  return { name, version, ...(await render(ctx, actor, renderable, variables)), config };
}

/** Renders a template that is not saved. */
export async function previewPrompt(ctx: Context, actor: Actor, request: PreviewRequest): Promise<Preview> {
  const content = parseContent(request);
  const { config = {}, variables = {} } = request;
  // Only for its size check.
  serializeConfig(config);
  const renderable = await prepareRenderable(ctx, actor, { content, ...(await analyzeContent(ctx, actor, content)) });
  return { ...(await render(ctx, actor, renderable, variables)), config, variables: renderable.declared };
}

async function render(
  ctx: Context,
  { workspaceId }: Actor,
  { content, partials, declared, problem }: Renderable,
  variables: Variables,
): Promise<Rendered> {
  if (problem !== undefined) throw new AppError('unresolved_partial', { text: problem });
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
    partials,
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
