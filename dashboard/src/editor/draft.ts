import type { Config, Content, Message, PromptType } from '../lib/types.ts';

/** What is being written: the config as typed, which need not be valid yet. */
export interface Draft {
  template: string;
  messages: Message[];
  config: string;
}

export function draftOf({ template, messages, config }: Content): Draft {
  return { template: template ?? '', messages: messages ?? [], config: JSON.stringify(config, null, 2) };
}

export function isSameDraft(a: Draft, b: Draft): boolean {
  return JSON.stringify([a.template, a.messages, a.config.trim()]) === JSON.stringify([b.template, b.messages, b.config.trim()]);
}

/** As the API takes it. */
export function contentOf(type: PromptType, { template, messages }: Draft): { template: string } | { messages: Message[] } {
  return type === 'text' ? { template } : { messages };
}

/** All of it as one text, to compare two versions. */
export function textOf(type: PromptType, { template, messages }: Draft): string {
  if (type === 'text') return template;
  return messages
    .map((message) => ('placeholder' in message ? `[placeholder ${message.placeholder}]\n` : `[${message.role}]\n${message.content}\n`))
    .join('\n');
}

export type ParsedConfig = { config: Config; error?: undefined } | { config?: undefined; error: string };

const maxConfigBytes = 64 * 1024;

export function parseConfig(text: string): ParsedConfig {
  if (text.trim() === '') return { config: {} };
  if (new TextEncoder().encode(text).length > maxConfigBytes) return { error: 'Use at most 64 KiB' };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { error: 'Give a JSON object: { … }' };
    return { config: { ...value } };
  } catch (err) {
    return {
      error:
        err instanceof Error
          ? err.message.replace(/^JSON\.parse: |^Unexpected/, (found) => (found === 'Unexpected' ? found : ''))
          : 'Not valid JSON',
    };
  }
}
