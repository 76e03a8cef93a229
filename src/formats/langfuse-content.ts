import { maxContentParts } from '../contract/limits.ts';
import { listTemplates, type MessageContent } from '../contract/message-content.ts';
import { isPlainText } from '../contract/plain-text.ts';
import { fromModelContent, toModelContent } from './model-parts.ts';

/**
 * Returns content in the form that programs for Langfuse expect. These programs accept only text, so parts become JSON in the form that
 * model APIs expect. A program can parse this JSON and send it to a model.
 */
export function toLangfuseContent(content: MessageContent): string {
  return typeof content === 'string' ? content : JSON.stringify(toModelContent(content));
}

/** Converts the content of a message from a program for Langfuse. Only JSON that `toLangfuseContent` would write becomes parts. */
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
