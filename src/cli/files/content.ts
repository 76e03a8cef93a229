import type { ListedPrompt } from '../../contract/prompts.ts';
import type { Messages, Version } from '../../contract/versions.ts';
import type { PromptContent } from '../../formats/prompt-fields.ts';
import { sha256 } from './sha256.ts';

/** Returns the content of a version and of its prompt. */
export function contentOf({
  description,
  tags,
  version,
}: Pick<ListedPrompt, 'description' | 'tags'> & { version: Version }): PromptContent {
  const { config, syntax, template, messages } = version;
  const text = template !== undefined ? { template } : { messages: messages ?? [] };
  return { description, tags, config, ...(syntax === 'mustache' && { syntax }), ...text };
}

/** Returns a digest that is equal for equal contents. The order of tags and of keys in the config does not matter. */
export function digestContent({ description, tags, config, syntax, template, messages }: PromptContent): string {
  const content = template !== undefined ? { template } : { messages: messages?.map(orderMessage) };
  const canonical = JSON.stringify([content, sortKeys(config), description, [...tags].sort(), ...(syntax ? [syntax] : [])]);
  return sha256(canonical, 'base64url');
}

function orderMessage(message: Messages[number]): Messages[number] {
  return 'content' in message ? { role: message.role, content: message.content } : { placeholder: message.placeholder };
}

/** Converts objects to sorted lists of pairs. In an object, keys that look like numbers would always come first. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return {
    pairs: Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  };
}
