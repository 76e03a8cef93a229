import { maxContentParts } from '../contract/limits.ts';
import { listTemplates, type MessageContent } from '../contract/message-content.ts';
import { isPlainText } from '../contract/plain-text.ts';
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
    return content !== undefined && isAccepted(content) && toLangfuseContent(content) === text ? content : text;
  } catch {
    return text;
  }
}

/**
 * Whether the service accepts the content. JSON may contain characters that are not allowed in text, such as control
 * characters.
 */
function isAccepted(content: MessageContent): boolean {
  return content.length > 0 && content.length <= maxContentParts && listTemplates(content).every(({ text }) => isPlainText(text));
}
