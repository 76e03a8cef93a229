import { messageRoles } from '../contract/message-roles.ts';
import type { Messages } from '../contract/versions.ts';
import { isPlainObject } from './json-values.ts';
import type { Report } from './report.ts';

/** Returns whether a value is a list of chat messages. */
export function isChat(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isPlainObject(item) && typeof item.role === 'string');
}

/** Reads a list of messages in the form that chat APIs use. Reports content that is not text. */
export function readChat(chat: Record<string, unknown>[], report: Report, lineOf: (index: number) => number | undefined): Messages {
  return chat.flatMap(({ role, content, ...rest }, index): Messages => {
    const line = lineOf(index);
    for (const key of Object.keys(rest)) report.warn(`${key} of message ${index + 1}`, 'Not supported; skipped', line);
    const known = role === 'model' ? 'assistant' : messageRoles.find((each) => each === role);
    const text = typeof content === 'string' ? content : joinParts(content);
    if (known === undefined) report.error(`role: ${role}`, `Unknown role; prompt not imported. Use ${messageRoles.join(', ')}`, line);
    if (text === undefined) report.error(`message ${index + 1}`, 'Messages can only contain text; prompt not imported', line);
    return known === undefined || text === undefined ? [] : [{ role: known, content: text }];
  });
}

/** Joins the parts of a message, if all of them are texts. */
function joinParts(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) =>
    isPlainObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
}
