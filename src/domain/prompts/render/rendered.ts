import type { RenderedMessage } from '../../../contract/render.ts';
import type { Messages, TemplateSyntax, Variable } from '../../../contract/versions.ts';
import { AppError } from '../../../errors.ts';
import type { Source, TemplateError } from '../../templates/template-types.ts';

// The parts of a render that do not concern templates. The client also uses this file, so it imports nothing that only a server has.

/** The content of a version: one template, or chat messages, each with its own template. */
export type Content = { syntax: TemplateSyntax } & ({ type: 'text'; template: string } | { type: 'chat'; messages: Messages });

/** The result of a render. `M` is the type of messages that the caller inserts. */
export type Rendered<M = RenderedMessage> = { text: string } | { messages: (RenderedMessage | M)[] };

type Variables = Record<string, unknown>;

/** Returns the template texts, each with its JSON pointer in the request. */
export function sourcesOf(content: Content): Source[] {
  if (content.type === 'text') return [{ path: '/template', text: content.template }];
  return content.messages.flatMap((message, index) =>
    'content' in message ? [{ path: `/messages/${index}/content`, text: message.content }] : [],
  );
}

export function placeholdersOf(content: Content): string[] {
  if (content.type === 'text') return [];
  return [...new Set(content.messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])))];
}

export function hasPlaceholders(content: Content): boolean {
  return content.type === 'chat' && content.messages.some((message) => 'placeholder' in message);
}

/** Returns the content with rendered texts instead of templates, and the caller's messages instead of placeholders. */
export function toRendered<M = RenderedMessage>(content: Content, texts: string[], inserted?: ReadonlyMap<string, M[]>): Rendered<M> {
  const next = texts.values();
  if (content.type === 'text') return { text: next.next().value ?? '' };
  return {
    messages: content.messages.flatMap<RenderedMessage | M>((message) =>
      'placeholder' in message ? (inserted?.get(message.placeholder) ?? []) : [{ role: message.role, content: next.next().value ?? '' }],
    ),
  };
}

/** Returns the required variables that have no value. */
export function missingOf(declared: Variable[], variables: Variables): Variable[] {
  return declared.filter(({ name, required }) => required && !Object.hasOwn(variables, name));
}

/** Throws an error that names all missing variables. */
export function assertComplete(declared: Variable[], variables: Variables): void {
  const missing = missingOf(declared, variables);
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

/** Parses the caller's messages for each placeholder. */
export function parsePlaceholders<M>(
  content: Content,
  variables: Variables,
  parse: (name: string, value: unknown) => M[],
): ReadonlyMap<string, M[]> {
  return new Map(placeholdersOf(content).map((name) => [name, parse(name, Object.hasOwn(variables, name) ? variables[name] : undefined)]));
}

export function renderFailed(error: TemplateError): AppError {
  return new AppError('render_failed', { text: `The prompt cannot be rendered: ${error.message}`, details: [error] });
}
