import { normalizeName } from '../../contract/prompt-names.ts';
import type { Preview, PreviewRequest } from '../../contract/render.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { analyzeContent, parseContent, serializeConfig } from './content.ts';
import { describeProblem, nameProblem } from './partial-problems.ts';
import { placeholderValues } from './placeholder-values.ts';
import { prepareRenderable, type Renderable, type RenderableVersion } from './renderables.ts';
import { assertComplete, hasPlaceholders, isComplete, parsePlaceholders, type Rendered, renderFailed, toRendered } from './rendered.ts';

type Variables = Record<string, unknown>;

/** Renders a version of a prompt with the caller's variables. Returns the response as JSON. */
export async function renderVersion(
  ctx: Context,
  { workspaceId }: Actor,
  renderable: RenderableVersion,
  variables: Variables,
): Promise<string> {
  return serializeRendered(renderable, await render(ctx, workspaceId, renderable, variables));
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
  const rendered = await render(ctx, actor.workspaceId, renderable, { ...variables, ...placeholders });
  return { ...rendered, config, variables: renderable.declared, ...(placeholders && { placeholders }) };
}

async function render(
  ctx: Context,
  workspaceId: string,
  { content, templates, declared, problem }: Renderable,
  variables: Variables,
): Promise<Rendered> {
  if (problem !== undefined) throw new AppError('unresolved_partial', { text: describeProblem(problem), names: nameProblem(problem) });
  assertComplete(declared, variables);
  const inserted = parsePlaceholders(content, variables);
  const result = await ctx.templates.render(workspaceId, templates, variables);
  if (!result.ok) throw renderFailed(result.error);
  return toRendered(content, result.texts, inserted);
}
