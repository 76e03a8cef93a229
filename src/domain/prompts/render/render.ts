import { maxTemplateVariables } from '../../../contract/limits.ts';
import { normalizeName } from '../../../contract/prompt-names.ts';
import type { Preview, PreviewRequest } from '../../../contract/render.ts';
import type { Variable } from '../../../contract/variables.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { loadCandidate } from '../../candidates/load-candidate.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import { unresolvedInclude } from '../includes/include-problems.ts';
import { analyzeContent, assertPlainText, parseContent, serializeConfig } from '../versions/version-content.ts';
import { placeholderValues } from './placeholder-values.ts';
import { prepareRenderable, type Renderable, type RenderableVersion } from './renderables.ts';
import {
  assertComplete,
  hasPlaceholders,
  missingOf,
  mistypedOf,
  parsePlaceholders,
  type Rendered,
  renderFailed,
  toRendered,
  withDefaults,
} from './rendered.ts';

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

/** Renders a version immediately, or returns undefined if that might take long or would fail. */
export function renderVersionNow(ctx: WithTemplates, actor: Actor, renderable: RenderableVersion, given: Variables): string | undefined {
  const { content, templates, declared, isTyped, problem } = renderable;
  if (problem !== undefined || hasPlaceholders(content)) return undefined;
  const variables = isTyped ? withDefaults(declared, given) : given;
  if (missingOf(declared, variables).length > 0 || (isTyped && mistypedOf(declared, variables).length > 0)) return undefined;
  const result = ctx.templates.renderNow(actor.workspaceId, templates, variables);
  return result?.ok ? serializeRendered(renderable, toRendered(content, result.texts)) : undefined;
}

function serializeRendered({ name, version, configJson, release }: RenderableVersion, rendered: Rendered): string {
  const chosen = release ? `,"release":${JSON.stringify(release)}` : '';
  return `{"name":${JSON.stringify(name)},"version":${version},${JSON.stringify(rendered).slice(1, -1)},"config":${configJson}${chosen}}`;
}

/** Renders a draft or a candidate exactly as it would be rendered as a version. */
export async function previewPrompt(ctx: WithStore & WithTemplates, actor: Actor, request: PreviewRequest): Promise<Preview> {
  assertPlainText('/name', request.name);
  const { variables = {} } = request;
  const { renderable, config } =
    request.candidate === undefined ? await prepareDraft(ctx, actor, request) : await prepareCandidate(ctx, actor, request);
  const { content } = renderable;
  const missing = request.placeholders ? missingOf(renderable.declared, variables) : [];
  const placeholders = request.placeholders ? placeholderValues(content, missing) : undefined;
  const rendered = await renderContent(ctx, actor, renderable, { ...variables, ...placeholders }, missing).catch((err: unknown) => {
    if (!request.problems || !(err instanceof AppError) || err.status !== 422) throw err;
    return { problem: err.message };
  });
  // The variables beyond the limit are left out, because a prompt with too many variables is reported as a problem.
  const declared = renderable.declared.slice(0, maxTemplateVariables);
  return { ...rendered, config, variables: declared, ...(placeholders && { placeholders }) };
}

async function prepareDraft(ctx: WithStore & WithTemplates, actor: Actor, { name, config = {}, ...request }: PreviewRequest) {
  const content = parseContent({ ...request, variables: request.declarations });
  // The result is not used: the call only checks the size of the config.
  serializeConfig(config);
  const own = name === undefined ? {} : { name: normalizeName(name) };
  return { renderable: await prepareRenderable(ctx, actor, { content, ...own, ...(await analyzeContent(ctx, actor, content)) }), config };
}

async function prepareCandidate(ctx: WithStore & WithTemplates, actor: Actor, { candidate: id = '', name, ...request }: PreviewRequest) {
  const { syntax, template, messages, declarations, tools, output, config } = request;
  const own = { syntax, template, messages, declarations, tools, output, config };
  const [field] = Object.entries(own).find(([, value]) => value !== undefined) ?? [];
  if (field !== undefined) throw invalidField(`/${field}`, 'Send either content or a candidate');
  if (name === undefined) throw invalidField('/name', 'Required with a candidate');
  const { renderable } = await loadCandidate(ctx, actor, { name, id });
  return { renderable, config: JSON.parse(renderable.configJson) as unknown };
}

/** Renders the text or messages of a version with the caller's variables. A preview shows the names of variables that are `missing`. */
export async function renderContent(
  ctx: WithTemplates,
  { workspaceId }: Actor,
  { content, templates, declared, problem }: Renderable,
  values: Variables,
  missing: Variable[] = [],
): Promise<Rendered> {
  if (problem !== undefined) throw unresolvedInclude(problem);
  const variables = withDefaults(declared, values);
  // The names that are shown in place of missing variables need not have the declared types.
  const given = declared.filter((variable) => !missing.includes(variable));
  assertComplete(given, variables);
  const inserted = parsePlaceholders(content, variables);
  const result = await ctx.templates.render(workspaceId, templates, variables, missing);
  if (!result.ok) throw renderFailed(result.error);
  return toRendered(content, result.texts, inserted);
}
