import type { ContentPart } from '../../../src/contract/content-parts.ts';
import type { Messages } from '../../../src/contract/versions.ts';
import {
  assertComplete,
  type Content,
  hasPlaceholders,
  parsePlaceholders,
  renderFailed,
  sourcesOf,
  toRendered,
  withDefaults,
} from '../../../src/domain/prompts/render/rendered.ts';
import { includeKey } from '../../../src/domain/templates/template-types.ts';
import { AppError } from '../../../src/errors.ts';
import { type ApiError, createApiError, describeError } from '../errors.ts';
import type { Fallback } from '../typed-prompts.ts';
import type { RenderedPrompt, Variable, Version } from '../types.ts';
import { type FindIncluded, type IncludedPrompt, isComplete, type Prepared } from './complete-engine.ts';
import type { Include, TemplateEngine } from './engine.ts';
import { findTextVariables, plain } from './plain.ts';

/** The limits of the service. If they are exceeded, the complete engine describes the error. */
const maxDepth = 8;
const maxIncludes = 100;
const maxTextCharacters = 1024 * 1024;
const maxVariables = 500;

/** Renders a version. Returns undefined if no engine that is loaded can render it. */
export type Render = (given: Record<string, unknown>) => RenderedPrompt | undefined;

/** The engines and includes with which a version is rendered. More engines may be loaded later. */
export interface Rendering {
  engines: readonly TemplateEngine[];
  findIncluded: FindIncluded;
}

/** Returns a function that renders a version as the service does, and throws the same errors. */
export function createRender(version: Version, { engines, findIncluded }: Rendering): Render {
  const content = contentOf(version);
  const prepared = new Map<TemplateEngine, Prepared | undefined>();

  function prepare(engine: TemplateEngine): Prepared | undefined {
    if (!content) return undefined;
    if (!prepared.has(engine)) prepared.set(engine, prepareWith(engine, version, content, findIncluded));
    return prepared.get(engine);
  }

  return (given) => {
    try {
      const variables = withDefaults(version.variables, parseVariables(given));
      for (const engine of engines) {
        const templates = prepare(engine);
        if (!content || !templates) continue;
        if ('problem' in templates) throw templates.problem;
        assertComplete(version.variables, variables);
        const inserted = parsePlaceholders(content, variables);
        const result = templates.render(variables);
        if (!result) continue;
        if (!result.ok) throw renderFailed(result.error);
        const rendered = toRendered(content, result.texts, inserted);
        return {
          name: version.name,
          version: version.version,
          // The caller may change the result, so it must not share any values with the version.
          ...(hasShared(content) ? structuredClone(rendered) : rendered),
          config: structuredClone(version.config),
          // Messages have the form that belongs to their role, unless the caller has passed others for a placeholder.
        } as RenderedPrompt;
      }
      return undefined;
    } catch (err) {
      throw err instanceof AppError ? toApiError(err) : err;
    }
  };
}

/** Returns whether a result contains values of the version: values in schemas, or messages that are the default of a placeholder. */
function hasShared(content: Content): boolean {
  return content.tools !== undefined || content.output !== undefined || hasPlaceholders(content);
}

/** Returns whether the version can be rendered without the complete engine. */
export function isPlain(version: Version, findIncluded: FindIncluded): boolean {
  const content = contentOf(version);
  return content !== undefined && prepareWith(plain, version, content, findIncluded) !== undefined;
}

/** Returns whether the includes of a version can be found without the complete engine. */
export function hasPlainTexts(version: Version): boolean {
  const content = contentOf(version);
  return content?.syntax === 'liquid' && sourcesOf(content).every(({ text }) => plain.findIncludes(text));
}

/** Returns undefined if the engine cannot render the content. */
function prepareWith(
  engine: TemplateEngine,
  { name, variables: { length: variableCount } }: Version,
  content: Content,
  findIncluded: FindIncluded,
): Prepared | undefined {
  if (isComplete(engine)) return engine.prepare({ name, content, variableCount }, findIncluded);
  if (content.syntax !== 'liquid' || variableCount >= maxVariables) return undefined;
  const sources = sourcesOf(content);
  const partials = collectIncluded(name, sources, { engine, findIncluded });
  return partials && { render: (variables) => engine.render({ sources, partials, variables }) };
}

/** Converts variables to the values that the service would receive: dates become texts, and undefined values are omitted. */
function parseVariables(given: Record<string, unknown>): Record<string, unknown> {
  const variables = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
  if (hasRefusedKey(variables))
    throw new AppError('invalid_json', { text: 'The body has a property that is not allowed, such as __proto__' });
  return variables;
}

/** Returns whether the value contains a property that the service refuses in any body. */
function hasRefusedKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  const inner = Object.hasOwn(value, 'constructor') ? value.constructor : undefined;
  if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')) return true;
  return Object.values(value).some(hasRefusedKey);
}

function toApiError({ message, status, code, details }: AppError): ApiError {
  const body = { error: message, code, ...(details && { details }) };
  return createApiError(describeError(body, status), { status, code, details });
}

/** Returns the prompts that a version includes, as far as the engines can read it. */
export function findIncludes(version: IncludingVersion, engines: readonly TemplateEngine[]): Include[] {
  const content = contentOf(version);
  if (!content) return [];
  if (content.syntax !== 'liquid') return engines.find(isComplete)?.findForeignIncludes(content) ?? [];
  return sourcesOf(content).flatMap(({ text }) => {
    for (const engine of engines) {
      const includes = engine.findIncludes(text);
      if (includes) return includes;
    }
    return [];
  });
}

/** Returns the variables of plain templates. For other templates, returns none. */
export function findPlainVariables(content: Content): Variable[] {
  const names = sourcesOf(content).flatMap(({ text }) => findTextVariables(text));
  return [...new Set(names)].map((name) => ({ name, required: true }));
}

/** Converts a template or messages in code. */
export function toContent(given: Fallback): Content {
  if (typeof given === 'string') return { type: 'text', syntax: 'liquid', template: given };
  if (Array.isArray(given)) return { type: 'chat', syntax: 'liquid', messages: given };
  return 'messages' in given
    ? { type: 'chat', syntax: 'liquid', messages: given.messages }
    : { type: 'text', syntax: 'liquid', template: given.template };
}

type IncludingVersion = Pick<Version, 'type' | 'template' | 'messages' | 'tools' | 'output'> & { syntax?: Version['syntax'] };

/** Returns the content of a version, or undefined if this client does not know its form, which a later version of the service has added. */
function contentOf({ type, template, messages, tools, output, syntax = 'liquid' }: IncludingVersion): Content | undefined {
  if (syntax !== 'liquid' && syntax !== 'mustache') return undefined;
  const declared = { ...(tools && { tools }), ...(output && { output }) };
  if (type === 'text') return template === undefined ? undefined : { type, syntax, template, ...declared };
  return messages?.every(isKnown) ? { type, syntax, messages, ...declared } : undefined;
}

const knownParts = new Set<unknown>(['text', 'image', 'audio', 'file'] satisfies ContentPart['type'][]);

function isKnown(message: Messages[number]): boolean {
  if ('placeholder' in message || typeof message.content === 'string') return true;
  return Array.isArray(message.content) && message.content.every(({ type }) => knownParts.has(type));
}

/** Converts a version to the data that a prompt needs when it includes this version. */
export function toIncludedPrompt({ type, template = '', syntax }: Version): IncludedPrompt {
  return syntax === 'mustache' ? { type, template, syntax } : { type, template };
}

/**
 * Returns all prompts that the templates include, directly or indirectly. Returns undefined if one of them is missing, circular or too
 * large.
 */
function collectIncluded(
  self: string,
  sources: { text: string }[],
  { engine, findIncluded }: { engine: TemplateEngine; findIncluded: FindIncluded },
): Record<string, string> | undefined {
  const partials: Record<string, string> = {};
  /** The number of include levels below each prompt. Each prompt is visited only once, even if many prompts include it. */
  const heights = new Map<string, number>();
  const path = new Set<string>();
  let characters = 0;

  /** Returns the number of include levels below a template, or Infinity if the template cannot be rendered. */
  function heightBelow(text: string): number {
    const includes = engine.findIncludes(text);
    return includes ? Math.max(0, ...includes.map(heightOf)) : Number.POSITIVE_INFINITY;
  }

  function heightOf(include: Include): number {
    const key = includeKey(include);
    const known = heights.get(key);
    if (known !== undefined) return known;
    const partial = findIncluded(include);
    if (include.name === self || path.has(key) || partial?.type !== 'text' || partial.syntax === 'mustache')
      return Number.POSITIVE_INFINITY;
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
