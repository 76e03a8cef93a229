import type { FieldError } from '../../../contract/errors.ts';
import {
  maxConfigBytes,
  maxTemplateCharacters,
  maxTemplateIncludes,
  maxTemplateTags,
  maxTemplateVariables,
  maxVariableNameLength,
} from '../../../contract/limits.ts';
import { showContent } from '../../../contract/message-content.ts';
import { messageRoles } from '../../../contract/message-roles.ts';
import { isPlainText } from '../../../contract/plain-text.ts';
import type { Shape, Variable } from '../../../contract/variables.ts';
import type { Messages, NewVersion, PromptType, TemplateSyntax } from '../../../contract/versions.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { Actor } from '../../actor.ts';
import { listIncludes } from '../../templates/mustache.ts';
import type { Analysis, IncludeReference, TemplateError } from '../../templates/template-types.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import { parseMessages } from '../render/placeholder-messages.ts';
import { type Content, type Declaration, type Declarations, placeholdersOf, sourcesOf } from '../render/rendered.ts';
import { assertSchemas, type DeclarationInput, parseDeclarations } from './declarations.ts';

export type ContentInput = Pick<NewVersion, 'template' | 'messages' | 'syntax'> & DeclarationInput & { type?: PromptType | undefined };

/** Parses the content. Exactly one of `template` and `messages` is required, the one that matches the type. */
export function parseContent({ type, template, messages, syntax = 'liquid', ...declared }: ContentInput): Content {
  const declarations = parseDeclarations(declared);
  if (template !== undefined && messages !== undefined) throw invalidField('/messages', 'Send either template or messages, not both');
  if (template !== undefined) {
    if (type === 'chat') throw invalidField('/template', 'A chat prompt has messages, not a template');
    return assertValid({ type: 'text', syntax, template, ...declarations });
  }
  if (messages === undefined) throw invalidField(type === 'chat' ? '/messages' : '/template', 'Required');
  if (type === 'text') throw invalidField('/messages', 'A text prompt has a template, not messages');
  if (syntax === 'liquid') assertKnownRoles(messages);
  return assertValid({ type: 'chat', syntax, messages, ...declarations });
}

/** Rejects roles that models do not know. Mustache versions come from other programs, and keep their roles. */
function assertKnownRoles(messages: Messages): void {
  for (const [index, message] of messages.entries()) {
    if ('role' in message && !roles.has(message.role)) {
      throw invalidField(`/messages/${index}/role`, `Use one of: ${messageRoles.join(', ')}`);
    }
  }
}

const roles = new Set<string>(messageRoles);

/**
 * Parses the templates, or throws with the line and column of each error. Placeholders count as optional variables. Errors in foreign
 * content are found only when this service renders it.
 */
export async function analyzeContent(
  ctx: WithTemplates,
  { workspaceId }: Actor,
  content: Content,
  { isForeign = false } = {},
): Promise<Analysis> {
  const sources = sourcesOf(content);
  await assertSchemas(ctx, workspaceId, content);
  const result = await ctx.templates.analyze(workspaceId, sources, content.syntax);
  if (!result.ok && !isForeign) throw new AppError('invalid_template', { details: result.errors.map(toFieldError) });
  const found = result.ok ? result.analysis : { variables: [], partials: listIncludes(sources.map(({ text }) => text)), unused: [] };
  return completeAnalysis(content, found, { isForeign });
}

/** Adds placeholders and declared variables to the variables that were found in the templates. */
export function completeAnalysis(content: Content, found: Analysis, { isForeign = false } = {}): Analysis {
  const placeholders = placeholdersOf(content);
  if (isForeign) assertDistinct(found.variables, placeholders);
  // Foreign content is rendered by other programs, so it is not refused if it has more variables than this service can list.
  const listable = found.variables.filter(({ name }) => name.length <= maxVariableNameLength);
  const reserved = new Set([...placeholders, ...(content.variables ?? []).map(({ name }) => name)]);
  const listed = isForeign ? limitVariables(listable, reserved) : found.variables;
  const used = addPlaceholders(listed, placeholders);
  if (!isForeign) assertPlaceholders(content, placeholders);
  const analysis = { ...found, ...addDeclarations(used, found.unused, content.variables) };
  assertWithinLimits(content, analysis);
  return analysis;
}

/** Leaves out the last variables beyond the limit, but no variable that the version declares. */
function limitVariables(variables: Variable[], reserved: ReadonlySet<string>): Variable[] {
  const others = variables.filter(({ name }) => !reserved.has(name)).slice(0, Math.max(0, maxTemplateVariables - reserved.size));
  const kept = new Set(others);
  return variables.filter((variable) => reserved.has(variable.name) || kept.has(variable));
}

/** Langfuse's SDKs fill variables and placeholders separately, so one name cannot be both. */
function assertDistinct(variables: Variable[], placeholders: string[]): void {
  const both = variables.find(({ name }) => placeholders.includes(name));
  if (both) throw invalidField('/messages', `"${both.name}" is both a variable and a placeholder`);
}

/** Rejects declarations with which every render would fail, because the value of a placeholder is a list of messages. */
function assertPlaceholders({ variables = [] }: Content, placeholders: string[]): void {
  for (const { name, type = 'list', default: value } of variables.filter(({ name }) => placeholders.includes(name))) {
    if (type !== 'list') throw invalidField('/variables', `"${name}" is a placeholder, so its type can only be “list”`);
    parseMessages(name, value);
  }
}

function addPlaceholders(variables: Variable[], placeholders: string[]): Variable[] {
  const byName = new Map(variables.map((variable) => [variable.name, variable]));
  for (const name of placeholders) byName.set(name, { name, required: byName.get(name)?.required ?? false, ...messagesShape });
  return [...byName.values()];
}

/** Adds the author's declarations. A declared variable that no template uses is also listed, because programs may read the declaration. */
function addDeclarations(used: Variable[], unused: string[], declarations: Declaration[] = []): Pick<Analysis, 'variables' | 'unused'> {
  const byName = new Map(used.map((variable) => [variable.name, variable]));
  const extra = declarations.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
  for (const declaration of declarations) {
    const { name, required = false, ...inferred } = byName.get(declaration.name) ?? { name: declaration.name };
    byName.set(name, { ...declaration, required, ...inferred });
  }
  return { variables: [...byName.values()], unused: [...unused, ...extra] };
}

const messagesShape: Shape = {
  kind: 'list',
  items: {
    kind: 'object',
    fields: [
      { name: 'role', required: true, kind: 'text' },
      { name: 'content', required: true, kind: 'text' },
    ],
  },
};

/**
 * Limits the variables and includes of a prompt when it is saved, because every read lists the variables and loads the included prompts.
 */
function assertWithinLimits(content: Content, { variables, partials }: Analysis): void {
  const path = content.type === 'text' ? '/template' : '/messages';
  if (variables.length > maxTemplateVariables) throw invalidField(path, `Use at most ${maxTemplateVariables} variables`);
  if (partials.length > maxTemplateIncludes) throw invalidField(path, `Include at most ${maxTemplateIncludes} other prompts`);
  const bound = partials.flatMap((partial) => partial.bound);
  if (bound.length > maxTemplateVariables) throw invalidField(path, `Pass at most ${maxTemplateVariables} variables to other prompts`);
  const long = [...variables.map(({ name }) => name), ...bound].find((name) => name.length > maxVariableNameLength);
  if (long !== undefined) {
    throw invalidField(path, `Use at most ${maxVariableNameLength} characters in a variable name: ${long.slice(0, 40)}…`);
  }
}

/** Returns the whole content as one text, for comparing two versions line by line. */
export function contentAsText(content: Content): string {
  if (content.type === 'text') return content.template;
  return content.messages
    .map((message) =>
      'content' in message ? `[${message.role}]\n${showContent(message.content)}\n` : `[placeholder ${message.placeholder}]\n`,
    )
    .join('\n');
}

/**
 * Serializes the content without its type and syntax, which are stored separately: either only the template or the messages, or an object
 * that also contains the declarations.
 */
export function serializeContent({ type: _, syntax: __, ...stored }: Content): string {
  const { variables, tools, output } = stored;
  if (variables || tools || output) return JSON.stringify(stored);
  return JSON.stringify('template' in stored ? stored.template : stored.messages);
}

export function parseStoredContent(type: PromptType, { syntax, content }: { syntax: TemplateSyntax; content: string }): Content {
  // The content was written by `serializeContent` from a validated request.
  const stored = JSON.parse(content) as string | Messages | StoredContent;
  if (typeof stored === 'object' && !Array.isArray(stored)) return { type, syntax, ...stored } as Content;
  return (type === 'text' ? { type, syntax, template: stored } : { type, syntax, messages: stored }) as Content;
}

type StoredContent = Declarations & ({ template: string } | { messages: Messages });

/** Parses the columns that `insertVersion` wrote from an analysis. */
export function parseStoredAnalysis(record: { variables: string; partials: string }): Pick<Analysis, 'variables' | 'partials'> {
  return {
    variables: JSON.parse(record.variables) as Variable[],
    partials: JSON.parse(record.partials) as IncludeReference[],
  };
}

export function serializeConfig(config: unknown): string {
  const json = JSON.stringify(config === undefined ? {} : config);
  if (Buffer.byteLength(json) > maxConfigBytes) throw invalidField('/config', 'Use at most 64 KiB');
  return json;
}

export function assertPlainText(path: string, text: string | undefined): void {
  if (text !== undefined && !isPlainText(text)) throw invalidField(path, 'Control characters and invalid Unicode are not allowed');
}

function assertValid(content: Content): Content {
  let length = 0;
  let tags = 0;
  if (content.type === 'chat') assertPlainRoles(content.messages);
  for (const { path, text } of sourcesOf(content)) {
    assertPlainText(path, text);
    length += text.length;
    tags += countTags(text);
    if (tags > maxTemplateTags) throw invalidField(path, `Use at most ${maxTemplateTags} tags`);
  }
  if (length > maxTemplateCharacters) {
    throw invalidField('/messages', `Use at most ${maxTemplateCharacters} characters across all messages`);
  }
  return content;
}

function assertPlainRoles(messages: Messages): void {
  for (const [index, message] of messages.entries()) if ('role' in message) assertPlainText(`/messages/${index}/role`, message.role);
}

/** Counts the tags of a template. Each line of a `liquid` tag counts as a tag. */
function countTags(text: string): number {
  const pattern = /\{%-?\s*liquid/.test(text) ? /\{[{%]|\n/g : /\{[{%]/g;
  return text.match(pattern)?.length ?? 0;
}

function toFieldError({ path, message, line, column }: TemplateError): FieldError {
  return { path, message: message.charAt(0).toUpperCase() + message.slice(1), line, column };
}
