import { maxConfigBytes, maxDeclarationBytes } from '../../../../src/contract/limits.ts';
import { showContent } from '../../../../src/contract/message-content.ts';
import type { Content, DeclaredVariable, Message, Output, PromptType, TemplateSyntax, Tool } from '../../lib/types.ts';
import { type Include, includesOf } from '../../prompts/includes.ts';

/** The content being edited. JSON is kept as the user typed it, so it may not be valid yet. */
export interface Draft {
  /** The template language. This field is missing in drafts that were stored when Liquid was the only language. */
  syntax?: TemplateSyntax;
  template: string;
  messages: Message[];
  config: string;
  /** The variables that the author has declared. */
  variables: DeclaredVariable[];
  /** The tools as JSON. Empty if there are none. */
  tools: string;
  /** The output schema as JSON. Empty if there is none. */
  output: string;
}

export const emptyDraft: Draft = { template: '', messages: [], config: '', variables: [], tools: '', output: '' };

export function draftOf({ syntax, template, messages, config, variables = [], tools, output }: Content): Draft {
  return {
    syntax,
    template: template ?? '',
    messages: messages ?? [],
    config: JSON.stringify(config, null, 2),
    variables: listDeclared(variables),
    tools: formatPart(tools),
    output: formatPart(output),
  };
}

/** Returns the JSON of tools or of an output schema. */
export function formatPart(part: Tool[] | Output | undefined): string {
  return part === undefined || (Array.isArray(part) && part.length === 0) ? '' : JSON.stringify(part, null, 2);
}

/** Returns the author's declarations, without properties that are inferred from the templates or declared by included prompts. */
function listDeclared(variables: NonNullable<Content['variables']>): DeclaredVariable[] {
  return variables.flatMap(({ name, type, description, default: value, example, values, inherited = false }) => {
    const declared = {
      name,
      ...(type && { type }),
      ...(description !== undefined && { description }),
      ...(value !== undefined && { default: value }),
      ...(example !== undefined && { example }),
      ...(values && { values }),
    };
    return inherited || Object.keys(declared).length === 1 ? [] : [declared];
  });
}

export function isSameDraft(a: Draft, b: Draft): boolean {
  return (
    syntaxOf(a) === syntaxOf(b) &&
    a.template === b.template &&
    a.config.trim() === b.config.trim() &&
    a.tools.trim() === b.tools.trim() &&
    a.output.trim() === b.output.trim() &&
    variablesText(a) === variablesText(b) &&
    JSON.stringify(a.messages) === JSON.stringify(b.messages)
  );
}

/** Returns the declared variables as JSON, ordered by name, because their order has no meaning. */
export function variablesText({ variables }: Pick<Draft, 'variables'>): string {
  if (variables.length === 0) return '';
  return JSON.stringify(
    [...variables].sort((a, b) => (a.name < b.name ? -1 : 1)),
    null,
    2,
  );
}

type Texts = { syntax: TemplateSyntax } & ({ template: string } | { messages: Message[] });

/** Returns the template or messages in the format of the API. */
function textsOf(type: PromptType, draft: Draft): Texts {
  const syntax = syntaxOf(draft);
  return type === 'text' ? { syntax, template: draft.template } : { syntax, messages: draft.messages };
}

/** Returns the tools and the output schema. JSON that is not valid is left out, see `findDraftProblem`. */
export function schemasOf(draft: Draft): { tools?: Tool[]; output?: Output } {
  const [{ value: tools }, { value: output }] = [parseTools(draft.tools), parseOutput(draft.output)];
  return { ...(tools && tools.length > 0 && { tools }), ...(output && { output }) };
}

/** Returns the content without the config, in the format in which the API saves it. */
export function contentOf(type: PromptType, draft: Draft) {
  return { ...textsOf(type, draft), variables: draft.variables, ...schemasOf(draft) };
}

/** Returns the content without the config, in the format in which the API renders and runs it. */
export function unsavedContentOf(type: PromptType, draft: Draft) {
  const { variables } = draft;
  return { ...textsOf(type, draft), ...(variables.length > 0 && { declarations: variables }), ...schemasOf(draft) };
}

export function syntaxOf({ syntax = 'liquid' }: Draft): TemplateSyntax {
  return syntax;
}

/** Returns the prompts that the content includes. */
export function includesIn(type: PromptType, draft: Draft): Include[] {
  const messages = draft.messages.map((message) => ('content' in message ? showContent(message.content) : ''));
  return includesOf(type === 'text' ? [draft.template] : messages, syntaxOf(draft));
}

/** Returns the text of the template or the messages, for comparisons. */
export function textOf(type: PromptType, { template, messages }: Pick<Draft, 'template' | 'messages'>): string {
  if (type === 'text') return template;
  return messages
    .map((message) =>
      'placeholder' in message ? `[placeholder ${message.placeholder}]\n` : `[${message.role}]\n${showContent(message.content)}\n`,
    )
    .join('\n');
}

type ParsedConfig = { config: unknown; error?: undefined } | { config?: undefined; error: string };

export function parseConfig(text: string): ParsedConfig {
  const { value = {}, error } = parseJsonPart(text, maxConfigBytes);
  return error === undefined ? { config: value } : { error };
}

interface Parsed<T> {
  /** The parsed value. Undefined if the text is empty or not valid. */
  value?: T;
  error?: string;
}

/** Parses the tools. The API validates each tool. */
export function parseTools(text: string): Parsed<Tool[]> {
  const { value, error } = parseJsonPart(text, maxDeclarationBytes);
  if (error !== undefined) return { error };
  if (value === undefined) return {};
  const isList = Array.isArray(value) && value.every((tool) => typeof tool === 'object' && tool !== null && !Array.isArray(tool));
  return isList ? { value } : { error: 'Must be a list of tools: [{ "name": … }]' };
}

/** Parses the output schema. The API validates the schema. */
export function parseOutput(text: string): Parsed<Output> {
  const { value, error } = parseJsonPart(text, maxDeclarationBytes);
  if (error !== undefined) return { error };
  if (value === undefined) return {};
  const isOutput = typeof value === 'object' && value !== null && 'schema' in value && typeof value.schema === 'object';
  // The API reports all other problems.
  return isOutput ? { value: value as Output } : { error: 'Must be an object with a schema: { "schema": { … } }' };
}

function parseJsonPart(text: string, maxBytes: number): Parsed<unknown> {
  if (text.trim() === '') return {};
  if (new TextEncoder().encode(text).length > maxBytes) return { error: `Use at most ${maxBytes / 1024} KiB` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (err) {
    // Firefox prefixes the message with "JSON.parse: ".
    return { error: err instanceof Error ? err.message.replace(/^JSON\.parse: /, '') : 'Not valid JSON' };
  }
}

/** Returns the reason why the draft cannot be saved, or undefined if no reason is found. The service also checks for other problems. */
export function findDraftProblem(draft: Draft): string | undefined {
  const problems = [
    ['The config is', parseConfig(draft.config).error],
    ['The tools are', parseTools(draft.tools).error],
    ['The output schema is', parseOutput(draft.output).error],
  ];
  const [subject, error] = problems.find(([, each]) => each !== undefined) ?? [];
  return error === undefined ? undefined : `${subject} not valid: ${error}`;
}
