import { type Messages, maxTemplateCharacters, type PromptType } from '../../contract/versions.ts';
import { AppError, type FieldError, invalidField } from '../../errors.ts';
import type { Context } from '../context.ts';
import type { Analysis, Source } from '../templates/types.ts';

/** What a version says: one template, or messages of which each is one. */
export type Content = { type: 'text'; template: string } | { type: 'chat'; messages: Messages };

export interface ContentInput {
  type?: PromptType | undefined;
  template?: string | undefined;
  messages?: Messages | undefined;
}

const maxConfigBytes = 64 * 1024;

/** Takes exactly one of `template` and `messages`, the one that fits the type. */
export function parseContent({ type, template, messages }: ContentInput): Content {
  if (template !== undefined && messages !== undefined) throw invalidField('/messages', 'Give either template or messages, not both');
  if (template !== undefined) {
    if (type === 'chat') throw invalidField('/template', 'A chat prompt has messages, not a template');
    return checked({ type: 'text', template });
  }
  if (messages === undefined) throw invalidField(type === 'chat' ? '/messages' : '/template', 'Required');
  if (type === 'text') throw invalidField('/messages', 'A text prompt has a template, not messages');
  return checked({ type: 'chat', messages });
}

/** The pieces of template text, each with its place in the request. */
export function sourcesOf(content: Content): Source[] {
  if (content.type === 'text') return [{ path: '/template', text: content.template }];
  return content.messages.flatMap((message, index) =>
    'content' in message ? [{ path: `/messages/${index}/content`, text: message.content }] : [],
  );
}

/** Parses the templates. One that does not parse is refused, with line and column. Placeholders count as optional variables. */
export async function analyzeContent(ctx: Context, content: Content): Promise<Analysis> {
  const result = await ctx.templates.run({ kind: 'analyze', sources: sourcesOf(content) });
  if (!result.ok) throw new AppError('invalid_template', { details: result.problems.map(withPosition) });
  const known = new Set(result.analysis.variables.map(({ name }) => name));
  const placeholders = placeholdersOf(content).filter((name) => !known.has(name));
  return { ...result.analysis, variables: [...result.analysis.variables, ...placeholders.map((name) => ({ name, required: false }))] };
}

export function placeholdersOf(content: Content): string[] {
  if (content.type === 'text') return [];
  return [...new Set(content.messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])))];
}

/** All of it as one text, for comparing two versions line by line. */
export function contentAsText(content: Content): string {
  if (content.type === 'text') return content.template;
  return content.messages
    .map((message) => ('content' in message ? `[${message.role}]\n${message.content}\n` : `[placeholder ${message.placeholder}]\n`))
    .join('\n');
}

/** As it is stored: which of the two it is shows by itself. */
export function serializeContent(content: Content): string {
  return JSON.stringify(content.type === 'text' ? content.template : content.messages);
}

export function parseStoredContent(type: PromptType, json: string): Content {
  // Written by serializeContent from a validated request.
  if (type === 'text') return { type, template: JSON.parse(json) as string };
  return { type, messages: JSON.parse(json) as Messages };
}

export function serializeConfig(config: Record<string, unknown> | undefined): string {
  const json = JSON.stringify(config ?? {});
  if (Buffer.byteLength(json) > maxConfigBytes) throw invalidField('/config', 'Use at most 64 KiB');
  return json;
}

/** Free text that people write about prompts: no control characters but line breaks and tabs, and no broken Unicode. */
export function assertPlainText(path: string, text: string | undefined): void {
  if (text !== undefined && (!text.isWellFormed() || hasControlCharacter(text))) {
    throw invalidField(path, 'Control characters and broken Unicode are not allowed');
  }
}

function hasControlCharacter(text: string): boolean {
  return /[^\P{Cc}\t\n\r]/u.test(text);
}

function checked(content: Content): Content {
  let length = 0;
  for (const { path, text } of sourcesOf(content)) {
    assertPlainText(path, text);
    length += text.length;
  }
  if (length > maxTemplateCharacters)
    throw invalidField('/messages', `Use at most ${maxTemplateCharacters} characters in all messages together`);
  return content;
}

function withPosition({ path, message, line, column }: FieldError): FieldError {
  return {
    path,
    message: message.charAt(0).toUpperCase() + message.slice(1),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
