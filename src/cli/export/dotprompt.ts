import { stringify } from 'yaml';
import { isPortable } from '../../contract/composition.ts';
import type { ContentPart } from '../../contract/content-parts.ts';
import { mapDescriptions } from '../../contract/descriptions.ts';
import type { Tool } from '../../contract/tools.ts';
import type { Messages } from '../../contract/versions.ts';
import type { DeclaredVariable } from '../../formats/config-parts.ts';
import { handlebarsWords } from '../../formats/handlebars-scopes.ts';
import type { PromptContent } from '../../formats/prompt-fields.ts';

type DotpromptFile = { text: string; notes: string[] } | { problem: string };

const roles: Record<string, string> = { system: 'system', user: 'user', assistant: 'model', tool: 'tool' };

/**
 * Formats a prompt as a dotprompt file, or returns what dotprompt cannot express. Of all template syntax, only plain variables mean the
 * same in Handlebars.
 */
export function formatDotprompt(name: string, content: PromptContent): DotpromptFile {
  const { description, tags, config, template, messages, variables = [], tools = [], output } = content;
  const items = messages ?? [{ role: 'user', content: template ?? '' }];
  for (const item of items) {
    const problem = findProblem(item);
    if (problem !== undefined) return { problem };
  }
  const body = template ?? items.map(formatMessage).join('');
  const notes = body === body.trim() ? [] : ['dotprompt removes spaces and line breaks at the beginning and end'];
  notes.push(...listLosses(content));
  const isObject = typeof config === 'object' && config !== null && !Array.isArray(config);
  if (!isObject) return { problem: 'not supported by dotprompt: a config that is not an object' };
  const { model, ...rest } = config as Record<string, unknown>;
  const fields = {
    name,
    ...(description !== '' && { description }),
    ...(model !== undefined && { model }),
    ...(Object.keys(rest).length > 0 && { config: rest }),
    ...(variables.length > 0 && { input: toInput(variables) }),
    ...(output && { output: { format: 'json', schema: output.schema } }),
    ...(tools.length > 0 && { toolDefs: tools.map(toToolDefinition) }),
    ...(tags.length > 0 && { metadata: { tags } }),
  };
  return { text: `---\n${stringify(fields, { lineWidth: 0 })}---\n${body}`, notes };
}

function findProblem(item: Messages[number]): string | undefined {
  if ('placeholder' in item)
    return item.placeholder === 'history'
      ? undefined
      : `not supported by dotprompt: the placeholder "${item.placeholder}" (only "history" is supported)`;
  if (roles[item.role] === undefined) return `not supported by dotprompt: the role "${item.role}"`;
  const parts = typeof item.content === 'string' ? [{ type: 'text' as const, text: item.content }] : item.content;
  return parts.map((part) => (part.type === 'text' ? findTextProblem(part.text) : findMediaProblem(part))).find(Boolean);
}

function findTextProblem(content: string): string | undefined {
  const tag = /\{%[\s\S]*?%\}/.exec(content)?.[0];
  if (tag !== undefined) return `not supported by dotprompt: the tag ${tag}`;
  if (!isPortable(content)) return `not supported by dotprompt: the output ${findOutput(content)}`;
  if (/\\\{\{/.test(content)) return 'not supported by dotprompt: a backslash that escapes {{';
  if (content.includes('<<<dotprompt:')) return 'not supported by dotprompt: the text <<<dotprompt:';
  const reserved = [...content.matchAll(/\{\{\s*(\w+)/g)].find((match) => handlebarsWords.has(match[1] ?? ''));
  return reserved && `not supported by dotprompt: the variable "${reserved[1]}", a reserved word`;
}

type Media = Exclude<ContentPart, { type: 'text' }>;

/**
 * Describes why a part cannot be exported. In dotprompt, a file requires a media type, and a media helper takes either a variable or text.
 */
function findMediaProblem(part: Media): string | undefined {
  if (part.type === 'file' && 'url' in part) return 'not supported by dotprompt: a file with a URL, because its media type is not known';
  const source = 'url' in part ? part.url : part.data;
  if (!/["{}]/.test(source) || ('url' in part && variableOf(part.url) !== undefined)) return undefined;
  return `not supported by dotprompt: ${part.type === 'image' ? 'an image' : part.type} from the template ${source}`;
}

function variableOf(url: string): string | undefined {
  const name = /^\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}$/.exec(url)?.[1];
  return name !== undefined && !handlebarsWords.has(name.split('.')[0] ?? '') ? name : undefined;
}

/** Finds the first tag in double braces that is more than a variable. */
function findOutput(content: string): string {
  return [...content.matchAll(/\{\{[\s\S]*?\}\}+/g)].find(([output]) => !isPortable(output))?.[0] ?? '{{';
}

/** Formats a message. There is no line break after the role, because it would be part of the text. */
function formatMessage(item: Messages[number]): string {
  if ('placeholder' in item) return '{{history}}';
  const content = typeof item.content === 'string' ? item.content : item.content.map(formatPart).join('');
  return `{{role "${roles[item.role]}"}}${content}`;
}

function formatPart(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  if ('data' in part) return `{{media url="data:${part.mediaType};base64,${part.data}" contentType="${part.mediaType}"}}`;
  return `{{media url=${variableOf(part.url) ?? `"${part.url}"`}}}`;
}

/** The JSON Schema type for each type of variable. */
const jsonTypes = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  enum: 'string',
  list: 'array',
  object: 'object',
  image: 'string',
};

function toInput(variables: DeclaredVariable[]): Record<string, unknown> {
  const properties = variables.map(({ name, type, description, values }) => [
    name,
    { ...(type && { type: jsonTypes[type] }), ...(values && { enum: values }), ...(description !== undefined && { description }) },
  ]);
  const defaults = variables.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties) },
    ...(defaults.length > 0 && { default: Object.fromEntries(defaults) }),
  };
}

function toToolDefinition({ name, description, parameters }: Tool): Record<string, unknown> {
  return { name, ...(description !== undefined && { description }), inputSchema: parameters ?? { type: 'object' } };
}

/** Lists the parts of a prompt that dotprompt does not support. */
function listLosses({ messages = [], variables = [], tools = [], output }: PromptContent): string[] {
  const parts = messages.flatMap((item) => ('content' in item && typeof item.content !== 'string' ? item.content : []));
  const without = (what: string, isLost: boolean) => (isLost ? [`dotprompt does not support ${what}; skipped`] : []);
  let hasTemplates = false;
  mapDescriptions({ tools, output }, '', (text) => {
    hasTemplates = true;
    return text;
  });
  return [
    ...without(
      'examples of variables',
      variables.some(({ example }) => example !== undefined),
    ),
    ...without(
      'variables of the type image',
      variables.some(({ type }) => type === 'image'),
    ),
    ...without(
      'the detail of images or the names of files',
      parts.some((part) => 'detail' in part || 'filename' in part),
    ),
    ...without('the name of the output schema', output?.name !== undefined),
    ...without('"strict"', output?.strict !== undefined || tools.some(({ strict }) => strict !== undefined)),
    ...(hasTemplates ? ['dotprompt does not render the tags in descriptions of tools and schemas'] : []),
  ];
}
