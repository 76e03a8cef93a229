import type { MessageContent } from '../contract/message-content.ts';
import { fromModelContent, toModelContent } from './model-parts.ts';

/**
 * Returns a content for Langfuse's programs. They accept only text, so parts become the JSON of the parts that model APIs expect. A program
 * parses that JSON and sends it.
 */
export function toLangfuseContent(content: MessageContent): string {
  return typeof content === 'string' ? content : JSON.stringify(toModelContent(content));
}

/** Returns the content of a message of Langfuse's programs. Only JSON that `toLangfuseContent` would write becomes parts. */
export function fromLangfuseContent(text: string): MessageContent {
  if (!text.startsWith('[{"type":')) return text;
  try {
    const content = fromModelContent(JSON.parse(text));
    return content !== undefined && content.length > 0 && toLangfuseContent(content) === text ? content : text;
  } catch {
    return text;
  }
}
