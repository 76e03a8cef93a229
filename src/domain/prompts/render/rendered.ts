import { mapDescriptions } from '../../../contract/descriptions.ts';
import { mapContent } from '../../../contract/message-content.ts';
import type { ModelMessage } from '../../../contract/model-messages.ts';
import type { Output, Tool } from '../../../contract/tools.ts';
import { findValueProblem } from '../../../contract/variable-values.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { Messages, TemplateSyntax } from '../../../contract/versions.ts';
import { AppError } from '../../../errors.ts';
import { toModelContent } from '../../../formats/model-parts.ts';
import type { Source, TemplateError } from '../../templates/template-types.ts';
import { parseMessages } from './placeholder-messages.ts';

// The parts of a render that do not concern templates. The client also uses this file, so it must not import code that runs only on a
// server.

/** The declarations of a version, in addition to its texts. */
export interface Declarations {
  /** Only the variables that the author has declared. The analysis adds the variables that the templates use. */
  variables?: Declaration[] | undefined;
  tools?: Tool[] | undefined;
  output?: Output | undefined;
}

/** The declaration of a variable, without the properties that are inferred from the templates. */
export type Declaration = Omit<Variable, 'required' | 'inherited' | 'kind' | 'fields' | 'items'>;

/** The content of a version: its declarations, and either one template or chat messages with templates. */
export type Content = { syntax: TemplateSyntax } & Declarations &
  ({ type: 'text'; template: string } | { type: 'chat'; messages: Messages });

/** The result of a render. */
export type Rendered = ({ text: string } | { messages: ModelMessage[] }) & Omit<Declarations, 'variables'>;

type Variables = Record<string, unknown>;
type MapText = (text: string, path: string) => string;

/** Replaces every template in the content, in the order of `sourcesOf`. */
export function mapTemplates<C extends Content>(content: C, map: MapText): C {
  const { tools, output } = content;
  const texts =
    content.type === 'text'
      ? { template: map(content.template, '/template') }
      : { messages: content.messages.map((message, index) => mapMessage(message, (text, path) => map(text, `/messages/${index}${path}`))) };
  return {
    ...content,
    ...texts,
    ...(tools && { tools: mapDescriptions(tools, '/tools', map) }),
    ...(output && { output: mapDescriptions(output, '/output', map) }),
  };
}

function mapMessage(message: Messages[number], map: MapText): Messages[number] {
  return 'content' in message
    ? { ...message, content: mapContent(message.content, (text, path) => map(text, `/content${path}`)) }
    : message;
}

/** Returns the template texts, each with its JSON pointer in the request. */
export function sourcesOf(content: Content): Source[] {
  const sources: Source[] = [];
  mapTemplates(content, (text, path) => {
    sources.push({ path, text });
    return text;
  });
  return sources;
}

export function placeholdersOf(content: Content): string[] {
  if (content.type === 'text') return [];
  return [...new Set(content.messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])))];
}

export function hasPlaceholders(content: Content): boolean {
  return content.type === 'chat' && content.messages.some((message) => 'placeholder' in message);
}

/** Returns the content with rendered texts instead of templates, and the caller’s messages instead of placeholders. */
export function toRendered(content: Content, texts: string[], inserted?: ReadonlyMap<string, ModelMessage[]>): Rendered {
  const next = texts.values();
  const take = () => next.next().value ?? '';
  const rendered = mapTemplates(content, take);
  const { tools, output } = rendered;
  const declared = { ...(tools && { tools }), ...(output && { output }) };
  if (rendered.type === 'text') return { text: rendered.template, ...declared };
  const messages = rendered.messages.flatMap((message): ModelMessage[] =>
    'placeholder' in message
      ? (inserted?.get(message.placeholder) ?? [])
      : [{ role: message.role, content: toModelContent(message.content) }],
  );
  return { messages, ...declared };
}

/** Returns the messages that a model receives. A text prompt becomes one user message. */
export function toMessages(rendered: { text: string } | { messages: ModelMessage[] }): ModelMessage[] {
  return 'text' in rendered ? [{ role: 'user', content: rendered.text }] : rendered.messages;
}

/** Returns the required variables that have no value. */
export function missingOf(declared: Variable[], variables: Variables): Variable[] {
  return declared.filter(({ name, required }) => required && !Object.hasOwn(variables, name));
}

/** Adds the defaults of variables without a value. */
export function withDefaults(declared: Variable[], variables: Variables): Variables {
  const added = declared.filter(({ name, default: value }) => value !== undefined && !Object.hasOwn(variables, name));
  return added.length === 0
    ? variables
    : { ...variables, ...Object.fromEntries(added.map((variable) => [variable.name, variable.default])) };
}

/** Throws an error that names all missing variables, or all variables whose value does not match the declared type. */
export function assertComplete(declared: Variable[], variables: Variables): void {
  const missing = missingOf(declared, variables);
  if (missing.length === 0) {
    assertTypes(declared, variables);
    return;
  }
  const details = missing.map(({ name }) => ({ path: `/variables/${name}`, message: 'Required' }));
  throw new AppError('missing_variables', {
    text: `Variables are missing: ${listNames(missing.map(({ name }) => name))}`,
    details,
    names: missing.map(({ name }) => name),
  });
}

/** Returns the variables whose value does not match the declared type, each with the expected type. */
export function mistypedOf(declared: Variable[], variables: Variables): { name: string; problem: string }[] {
  return declared.flatMap((variable) => {
    const { name, type } = variable;
    const problem = type !== undefined && Object.hasOwn(variables, name) ? findValueProblem(variable, variables[name]) : undefined;
    return problem === undefined ? [] : [{ name, problem }];
  });
}

function assertTypes(declared: Variable[], variables: Variables): void {
  const mistyped = mistypedOf(declared, variables);
  if (mistyped.length === 0) return;
  const described = mistyped.map(({ name, problem }) => `${name} (${problem.charAt(0).toLowerCase()}${problem.slice(1)})`);
  throw new AppError('invalid_variables', {
    text: `Variables do not match their declared types: ${listNames(described)}`,
    details: mistyped.map(({ name, problem }) => ({ path: `/variables/${name}`, message: problem })),
    names: mistyped.map(({ name }) => name),
  });
}

const shownNames = 20;
const shownCharacters = 100;

function listNames(names: string[]): string {
  const shown = names.slice(0, shownNames).map((name) => name.slice(0, shownCharacters));
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}

/** Parses the caller’s messages for each placeholder. */
export function parsePlaceholders(content: Content, variables: Variables): ReadonlyMap<string, ModelMessage[]> {
  return new Map(
    placeholdersOf(content).map((name) => [name, parseMessages(name, Object.hasOwn(variables, name) ? variables[name] : undefined)]),
  );
}

export function renderFailed(error: TemplateError): AppError {
  return new AppError('render_failed', { text: `The prompt cannot be rendered: ${error.message}`, details: [error] });
}
