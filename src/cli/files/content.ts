import type { ListedPrompt } from '../../contract/prompts.ts';
import type { Messages, Version } from '../../contract/versions.ts';
import { listDeclared } from '../../formats/declared-variables.ts';
import type { PromptContent } from '../../formats/prompt-fields.ts';
import { sha256 } from './sha256.ts';

/** Returns the content of a version and of its prompt. */
export function contentOf({
  description,
  tags,
  version,
}: Pick<ListedPrompt, 'description' | 'tags'> & { version: Version }): PromptContent {
  const { config, syntax, template, messages, tools, output } = version;
  const variables = listDeclared(version.variables);
  const text = template !== undefined ? { template } : { messages: messages ?? [] };
  return {
    description,
    tags,
    config,
    ...(syntax === 'mustache' && { syntax }),
    ...text,
    ...(variables.length > 0 && { variables }),
    ...(tools && tools.length > 0 && { tools }),
    ...(output && { output }),
  };
}

/**
 * Returns a digest that is equal for equal contents. The order of tags and variables does not matter, and neither does the order of keys in
 * the config, in parts and in declarations. Missing values are left out, so that older versions of this program compute the same digest.
 */
export function digestContent({ description, tags, config, syntax, template, messages, ...declared }: PromptContent): string {
  const { variables, tools, output } = declared;
  const content = template !== undefined ? { template } : { messages: messages?.map(orderMessage) };
  const common = [content, sortKeys(config), description, [...tags].sort(), ...(syntax ? [syntax] : [])];
  const hasMore = variables || tools || output;
  return sha256(JSON.stringify([...common, ...(hasMore ? [sortKeys({ variables, tools, output })] : [])]), 'base64url');
}

function orderMessage(message: Messages[number]): unknown {
  if ('placeholder' in message) return { placeholder: message.placeholder };
  const { role, content } = message;
  return { role, content: typeof content === 'string' ? content : sortKeys(content) };
}

/** Converts objects to sorted lists of pairs, because in an object, keys that look like numbers always come first. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return {
    pairs: Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  };
}
