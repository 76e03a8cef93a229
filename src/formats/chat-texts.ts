import { messageRoles } from '../contract/message-roles.ts';
import type { Messages } from '../contract/versions.ts';
import { isPlainObject } from './json-values.ts';
import { fromModelContent } from './model-parts.ts';
import type { Report } from './report.ts';

/** Returns whether a value is a list of chat messages. */
export function isChat(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isPlainObject(item) && typeof item.role === 'string');
}

/** Reads the messages of a list in the form of chat APIs. Reports content that has another form. */
export function readChat(chat: Record<string, unknown>[], report: Report, lineOf: (index: number) => number | undefined): Messages {
  return chat.flatMap(({ role, content, ...rest }, index): Messages => {
    const line = lineOf(index);
    for (const key of Object.keys(rest)) report.warn(`${key} of message ${index + 1}`, 'Not supported; skipped', line);
    const known = role === 'model' ? 'assistant' : messageRoles.find((each) => each === role);
    const parts = joinParts(content) ?? fromModelContent(content);
    if (known === undefined) report.error(`role: ${role}`, `Unknown role; prompt not imported. Use ${messageRoles.join(', ')}`, line);
    if (parts === undefined) {
      const message = 'Neither text nor parts of the types text, image_url, input_audio and file; prompt not imported';
      report.error(`message ${index + 1}`, message, line);
    }
    return known === undefined || parts === undefined ? [] : [{ role: known, content: parts }];
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
