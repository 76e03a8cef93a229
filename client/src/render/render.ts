import {
  assertComplete,
  type Content,
  parsePlaceholders,
  renderFailed,
  sourcesOf,
  toRendered,
  withDefaults,
} from '../../../src/domain/prompts/render/rendered.ts';
import { includeKey } from '../../../src/domain/templates/template-types.ts';
import { AppError } from '../../../src/errors.ts';
import { type ApiError, createApiError, describeError } from '../errors.ts';
import type { RenderedPrompt, Version } from '../types.ts';
import type { Include, TemplateEngine } from './engine.ts';

/** A prompt that another one can include. */
export interface IncludedPrompt {
  type: Version['type'];
  template: string;
}

/** The limits of the service. If they are exceeded, the service responds with the error. */
const maxDepth = 8;
const maxIncludes = 100;
const maxTextCharacters = 1024 * 1024;
const maxVariables = 500;

/** The service refuses these keys in any body. */
const refusedKeys = /"(?:__proto__|constructor)"\s*:/;

/** Renders a version as the service does, and throws the same errors. Returns undefined if the service should render. */
export function renderLocally(
  version: Version,
  given: Record<string, unknown>,
  { engines, findIncluded }: { engines: TemplateEngine[]; findIncluded: (include: Include) => IncludedPrompt | undefined },
): RenderedPrompt | undefined {
  const content = contentOf(version);
  // Converts the variables to what the service would receive: dates become texts, and undefined values are omitted.
  const json = JSON.stringify(given);
  if (!content || version.variables.length > maxVariables || refusedKeys.test(json)) return undefined;
  const variables = withDefaults(version.variables, JSON.parse(json) as Record<string, unknown>);
  const sources = sourcesOf(content);
  for (const engine of engines) {
    const partials = collectIncluded(version.name, sources, { engine, findIncluded });
    if (!partials) continue;
    try {
      assertComplete(version.variables, variables);
      const inserted = parsePlaceholders(content, variables);
      const result = engine.render({ sources, partials, variables });
      if (!result) continue;
      if (!result.ok) throw renderFailed(result.error);
      return {
        name: version.name,
        version: version.version,
        ...toRendered(content, result.texts, inserted),
        config: structuredClone(version.config),
        // Messages have the form of their role, unless the caller has sent others for a placeholder.
      } as RenderedPrompt;
    } catch (err) {
      throw err instanceof AppError ? toApiError(err) : err;
    }
  }
  return undefined;
}

function toApiError({ message, status, code, details }: AppError): ApiError {
  const body = { error: message, code, ...(details && { details }) };
  return createApiError(describeError(body, status), { status, code, details });
}

/** Returns the prompts that a version includes, as far as the engines can read it. */
export function findIncludes(version: ContentFields, engines: TemplateEngine[]): Include[] {
  const content = contentOf(version);
  if (!content) return [];
  return sourcesOf(content).flatMap(({ text }) => {
    for (const engine of engines) {
      const includes = engine.findIncludes(text);
      if (includes) return includes;
    }
    return [];
  });
}

type ContentFields = Pick<Version, 'type' | 'template' | 'messages' | 'tools' | 'output'>;

/** Returns undefined for templates in another language. */
function contentOf(version: ContentFields): Content | undefined {
  const { type, template, messages, tools, output } = version;
  if (!isLiquid(version)) return undefined;
  const declared = { ...(tools && { tools }), ...(output && { output }) };
  if (type === 'text') return template === undefined ? undefined : { type, syntax: 'liquid', template, ...declared };
  return messages === undefined ? undefined : { type, syntax: 'liquid', messages, ...declared };
}

function isLiquid(version: object): boolean {
  return !('syntax' in version) || version.syntax === 'liquid';
}

/** Converts a version to the form in which another prompt includes it. Returns undefined if only the service can render it. */
export function toIncludedPrompt(version: Version): IncludedPrompt | undefined {
  return isLiquid(version) ? { type: version.type, template: version.template ?? '' } : undefined;
}

/** Returns all prompts that the templates include, directly or indirectly. Returns undefined if one is missing, circular or too large. */
function collectIncluded(
  self: string,
  sources: { text: string }[],
  { engine, findIncluded }: { engine: TemplateEngine; findIncluded: (include: Include) => IncludedPrompt | undefined },
): Record<string, string> | undefined {
  const partials: Record<string, string> = {};
  /** The number of levels below each included prompt that was visited. Each is visited once, although many may include it. */
  const heights = new Map<string, number>();
  const path = new Set<string>();
  let characters = 0;

  /** Returns the number of levels below a text, or Infinity if it cannot be rendered. */
  function heightBelow(text: string): number {
    const includes = engine.findIncludes(text);
    return includes ? Math.max(0, ...includes.map(heightOf)) : Number.POSITIVE_INFINITY;
  }

  function heightOf(include: Include): number {
    const key = includeKey(include);
    const known = heights.get(key);
    if (known !== undefined) return known;
    const partial = findIncluded(include);
    if (include.name === self || path.has(key) || partial?.type !== 'text') return Number.POSITIVE_INFINITY;
    characters += partial.template.length;
    partials[key] = partial.template;
    if (path.size >= maxDepth || heights.size >= maxIncludes || characters > maxTextCharacters) return Number.POSITIVE_INFINITY;
    path.add(key);
    const height = 1 + heightBelow(partial.template);
    path.delete(key);
    heights.set(key, height);
    return height;
  }
  return sources.every(({ text }) => heightBelow(text) <= maxDepth) ? partials : undefined;
}
