import { maxConfigBytes } from '../../../../src/contract/limits.ts';
import { showContent } from '../../../../src/contract/message-content.ts';
import type { Content, Message, PromptType, TemplateSyntax } from '../../lib/types.ts';
import { type Include, includesOf } from '../../prompts/includes.ts';

/** The content being edited. The config is the text as typed, which may not be valid yet. */
export interface Draft {
  /** The template language. It is missing in drafts that were stored when Liquid was the only language. */
  syntax?: TemplateSyntax;
  template: string;
  messages: Message[];
  config: string;
}

export function draftOf({ syntax, template, messages, config }: Content): Draft {
  return { syntax, template: template ?? '', messages: messages ?? [], config: JSON.stringify(config, null, 2) };
}

export function isSameDraft(a: Draft, b: Draft): boolean {
  return (
    syntaxOf(a) === syntaxOf(b) &&
    a.template === b.template &&
    a.config.trim() === b.config.trim() &&
    JSON.stringify(a.messages) === JSON.stringify(b.messages)
  );
}

/** Returns the template or messages in the format of the API. */
export function contentOf(type: PromptType, draft: Draft): { syntax: TemplateSyntax } & ({ template: string } | { messages: Message[] }) {
  const syntax = syntaxOf(draft);
  return type === 'text' ? { syntax, template: draft.template } : { syntax, messages: draft.messages };
}

export function syntaxOf({ syntax = 'liquid' }: Draft): TemplateSyntax {
  return syntax;
}

/** Returns the prompts that the content includes. */
export function includesIn(type: PromptType, draft: Draft): Include[] {
  const messages = draft.messages.map((message) => ('content' in message ? showContent(message.content) : ''));
  return includesOf(type === 'text' ? [draft.template] : messages, syntaxOf(draft));
}

/** Returns the whole content as one text, for comparisons. */
export function textOf(type: PromptType, { template, messages }: Draft): string {
  if (type === 'text') return template;
  return messages
    .map((message) =>
      'placeholder' in message ? `[placeholder ${message.placeholder}]\n` : `[${message.role}]\n${showContent(message.content)}\n`,
    )
    .join('\n');
}

type ParsedConfig = { config: unknown; error?: undefined } | { config?: undefined; error: string };

export function parseConfig(text: string): ParsedConfig {
  if (text.trim() === '') return { config: {} };
  if (new TextEncoder().encode(text).length > maxConfigBytes) return { error: `Use at most ${maxConfigBytes / 1024} KiB` };
  try {
    return { config: JSON.parse(text) as unknown };
  } catch (err) {
    // Firefox prefixes the message with "JSON.parse: ".
    return { error: err instanceof Error ? err.message.replace(/^JSON\.parse: /, '') : 'Not valid JSON' };
  }
}
