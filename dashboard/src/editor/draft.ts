import { maxConfigBytes } from '../../../src/contract/limits.ts';
import type { Config, Content, Message, PromptType } from '../lib/types.ts';

/** The content being edited. The config is the text as typed, which may not be valid yet. */
export interface Draft {
  template: string;
  messages: Message[];
  config: string;
}

export function draftOf({ template, messages, config }: Content): Draft {
  return { template: template ?? '', messages: messages ?? [], config: JSON.stringify(config, null, 2) };
}

export function isSameDraft(a: Draft, b: Draft): boolean {
  return a.template === b.template && a.config.trim() === b.config.trim() && JSON.stringify(a.messages) === JSON.stringify(b.messages);
}

/** The template or messages, in the format of the API. */
export function contentOf(type: PromptType, { template, messages }: Draft): { template: string } | { messages: Message[] } {
  return type === 'text' ? { template } : { messages };
}

/** The whole content as one text, for comparisons. */
export function textOf(type: PromptType, { template, messages }: Draft): string {
  if (type === 'text') return template;
  return messages
    .map((message) => ('placeholder' in message ? `[placeholder ${message.placeholder}]\n` : `[${message.role}]\n${message.content}\n`))
    .join('\n');
}

type ParsedConfig = { config: Config; error?: undefined } | { config?: undefined; error: string };

export function parseConfig(text: string): ParsedConfig {
  if (text.trim() === '') return { config: {} };
  if (new TextEncoder().encode(text).length > maxConfigBytes) return { error: `Use at most ${maxConfigBytes / 1024} KiB` };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { error: 'Must be a JSON object: { … }' };
    return { config: { ...value } };
  } catch (err) {
    // Firefox prefixes the message with "JSON.parse: ".
    return { error: err instanceof Error ? err.message.replace(/^JSON\.parse: /, '') : 'Not valid JSON' };
  }
}
