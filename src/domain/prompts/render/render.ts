import { maxTemplateVariables } from '../../../contract/limits.ts';
import { normalizeName } from '../../../contract/prompt-names.ts';
import type { Preview, PreviewRequest } from '../../../contract/render.ts';
import type { Variable } from '../../../contract/versions.ts';
import { AppError } from '../../../errors.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import { unresolvedInclude } from '../includes/include-problems.ts';
import { analyzeContent, assertPlainText, parseContent, serializeConfig } from '../versions/version-content.ts';
import { type ModelMessage, parseMessages, parseModelMessages } from './placeholder-messages.ts';
import { placeholderValues } from './placeholder-values.ts';
import { prepareRenderable, type Renderable, type RenderableVersion } from './renderables.ts';
import { assertComplete, hasPlaceholders, missingOf, parsePlaceholders, type Rendered, renderFailed, toRendered } from './rendered.ts';

type Variables = Record<string, unknown>;

/** Renders a version of a prompt with the caller's variables. Returns the response as JSON. */
export async function renderVersion(
  ctx: WithTemplates,
  actor: Actor,
  renderable: RenderableVersion,
  variables: Variables,
): Promise<string> {
  return serializeRendered(renderable, await renderContent(ctx, actor, renderable, variables));
}

/** Renders a version immediately. Returns undefined if rendering might take long or would fail. */
export function renderVersionNow(
  ctx: WithTemplates,
  actor: Actor,
  renderable: RenderableVersion,
  variables: Variables,
): string | undefined {
  const { content, templates, declared, problem } = renderable;
  if (problem !== undefined || hasPlaceholders(content) || missingOf(declared, variables).length > 0) return undefined;
  const result = ctx.templates.renderNow(actor.workspaceId, templates, variables);
  return result?.ok ? serializeRendered(renderable, toRendered(content, result.texts)) : undefined;
}

function serializeRendered({ name, version, configJson }: RenderableVersion, rendered: Rendered): string {
  const result = 'text' in rendered ? `"text":${JSON.stringify(rendered.text)}` : `"messages":${JSON.stringify(rendered.messages)}`;
  return `{"name":${JSON.stringify(name)},"version":${version},${result},"config":${configJson}}`;
}

/** Renders a draft exactly as it would be rendered after saving it. */
export async function previewPrompt(ctx: WithStore & WithTemplates, actor: Actor, request: PreviewRequest): Promise<Preview> {
  assertPlainText('/name', request.name);
  const content = parseContent(request);
  const { config = {}, variables = {} } = request;
  // The result is not used: the call only checks the size of the config.
  serializeConfig(config);
  const name = request.name === undefined ? {} : { name: normalizeName(request.name) };
  const renderable = await prepareRenderable(ctx, actor, { content, ...name, ...(await analyzeContent(ctx, actor, content)) });
  const missing = request.placeholders ? missingOf(renderable.declared, variables) : [];
  const placeholders = request.placeholders ? placeholderValues(content, missing) : undefined;
  const rendered = await render(ctx, actor, renderable, { ...variables, ...placeholders }, parseMessages, missing).catch((err: unknown) => {
    if (!request.problems || !(err instanceof AppError) || err.status !== 422) throw err;
    return { problem: err.message };
  });
  // A prompt with too many variables is reported as a problem.
  const declared = renderable.declared.slice(0, maxTemplateVariables);
  return { ...rendered, config, variables: declared, ...(placeholders && { placeholders }) };
}

/** Renders the text or messages of a version with the caller's variables. */
export function renderContent(ctx: WithTemplates, actor: Actor, renderable: Renderable, variables: Variables): Promise<Rendered> {
  return render(ctx, actor, renderable, variables, parseMessages);
}

/** Renders the messages that a model gets. A text prompt becomes one user message. */
export async function renderMessages(
  ctx: WithTemplates,
  actor: Actor,
  renderable: Renderable,
  variables: Variables,
): Promise<ModelMessage[]> {
  const rendered = await render(ctx, actor, renderable, variables, parseModelMessages);
  return 'text' in rendered ? [{ role: 'user', content: rendered.text }] : rendered.messages;
}

async function render<M>(
  ctx: WithTemplates,
  { workspaceId }: Actor,
  { content, templates, declared, problem }: Renderable,
  variables: Variables,
  parse: (name: string, value: unknown) => M[],
  missing: Variable[] = [],
): Promise<Rendered<M>> {
  if (problem !== undefined) throw unresolvedInclude(problem);
  assertComplete(declared, variables);
  const inserted = parsePlaceholders(content, variables, parse);
  const result = await ctx.templates.render(workspaceId, templates, variables, missing);
  if (!result.ok) throw renderFailed(result.error);
  return toRendered(content, result.texts, inserted);
}
