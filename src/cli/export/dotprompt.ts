import { stringify } from 'yaml';
import { isPortable } from '../../contract/composition.ts';
import type { Messages } from '../../contract/versions.ts';
import { handlebarsWords } from '../../formats/handlebars-scopes.ts';
import type { PromptContent } from '../../formats/prompt-fields.ts';

type DotpromptFile = { text: string; notes: string[] } | { problem: string };

const roles: Record<string, string> = { system: 'system', user: 'user', assistant: 'model', tool: 'tool' };

/**
 * Formats a prompt as a dotprompt file, or returns the parts that dotprompt cannot express. Only plain variables have the same meaning in
 * Handlebars.
 */
export function formatDotprompt(name: string, { description, tags, config, template, messages }: PromptContent): DotpromptFile {
  const items = messages ?? [{ role: 'user', content: template ?? '' }];
  for (const item of items) {
    const problem = findProblem(item);
    if (problem !== undefined) return { problem };
  }
  const body = template ?? items.map(formatMessage).join('');
  const notes = body === body.trim() ? [] : ['dotprompt removes spaces and line breaks at the beginning and end'];
  const isObject = typeof config === 'object' && config !== null && !Array.isArray(config);
  if (!isObject) return { problem: 'not supported by dotprompt: a config that is not an object' };
  const { model, ...rest } = config as Record<string, unknown>;
  const fields = {
    name,
    ...(description !== '' && { description }),
    ...(model !== undefined && { model }),
    ...(Object.keys(rest).length > 0 && { config: rest }),
    ...(tags.length > 0 && { metadata: { tags } }),
  };
  return { text: `---\n${stringify(fields, { lineWidth: 0 })}---\n${body}`, notes };
}

function findProblem(item: Messages[number]): string | undefined {
  if ('placeholder' in item)
    return item.placeholder === 'history'
      ? undefined
      : `not supported by dotprompt: the placeholder "${item.placeholder}" (only "history" is)`;
  if (roles[item.role] === undefined) return `not supported by dotprompt: the role "${item.role}"`;
  const { content } = item;
  if (typeof content !== 'string') return 'not supported by this export: a message with images or other parts';
  const tag = /\{%[\s\S]*?%\}/.exec(content)?.[0];
  if (tag !== undefined) return `not supported by dotprompt: the tag ${tag}`;
  if (!isPortable(content)) return `not supported by dotprompt: the output ${findOutput(content)}`;
  if (/\\\{\{/.test(content)) return 'not supported by dotprompt: a backslash before {{, which escapes it';
  if (content.includes('<<<dotprompt:')) return 'not supported by dotprompt: the text <<<dotprompt:';
  const reserved = [...content.matchAll(/\{\{\s*(\w+)/g)].find((match) => handlebarsWords.has(match[1] ?? ''));
  return reserved && `not supported by dotprompt: the variable "${reserved[1]}", a reserved word`;
}

/** Finds the first output that is not just a variable. */
function findOutput(content: string): string {
  return [...content.matchAll(/\{\{[\s\S]*?\}\}+/g)].find(([output]) => !isPortable(output))?.[0] ?? '{{';
}

/** Formats a message. There is no line break after the role, because it would be part of the text. */
function formatMessage(item: Messages[number]): string {
  return 'placeholder' in item ? '{{history}}' : `{{role "${roles[item.role]}"}}${item.content}`;
}
