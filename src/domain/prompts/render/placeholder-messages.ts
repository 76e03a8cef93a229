import { messageRoles } from '../../../contract/message-roles.ts';
import type { ModelMessage } from '../../../contract/model-messages.ts';
import { invalidField } from '../../../errors.ts';

// The client also uses this file, so it must not import code that runs only on a server.

const roles = new Set<string>(messageRoles);
const roleText = `role (${messageRoles.join(', ')})`;

/**
 * Parses the caller's messages for a placeholder: anything that a model API accepts, including parts, tool calls and their results. Unknown
 * fields are passed on. The messages are optional, because a conversation starts without any.
 */
export function parseMessages(name: string, value: unknown): ModelMessage[] {
  return listMessages(name, value).map(({ path, message }) => {
    const { role, content = null } = message;
    // An assistant that only calls tools has no content.
    const isAbsent = content === null && role === 'assistant';
    const isContent = isAbsent || typeof content === 'string' || (Array.isArray(content) && content.length > 0 && content.every(isPart));
    if (!isRole(role) || !isContent) throw invalidField(path, `Must have a ${roleText} and content as text or parts`);
    return { ...message, role };
  });
}

function isRole(role: unknown): role is string {
  return typeof role === 'string' && roles.has(role);
}

function isPart(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string';
}

function listMessages(name: string, value: unknown): { path: string; message: Record<string, unknown> }[] {
  if (value === undefined || value === null) return [];
  const path = `/variables/${name}`;
  if (!Array.isArray(value)) throw invalidField(path, 'Must be an array of messages, each with role and content');
  return value.map((item: unknown, index) => ({
    path: `${path}/${index}`,
    message: typeof item === 'object' && item !== null ? { ...item } : {},
  }));
}
