import { isPortable, listTags } from '../contract/composition.ts';
import { mapDescriptions } from '../contract/descriptions.ts';
import { maxTemplateVariables } from '../contract/limits.ts';
import { listTemplates } from '../contract/message-content.ts';
import { isPlainText } from '../contract/plain-text.ts';
import type { Messages } from '../contract/versions.ts';
import { addToConfig, type ConfigParts, type DeclaredVariable, takeFromConfig } from './config-parts.ts';
import { isPlainObject, isSameJson } from './json-values.ts';

type Texts = { template: string } | { messages: Messages };

/**
 * Moves tools, the output schema and descriptions of variables out of the config of a program for Langfuse. Langfuse returns a config
 * exactly as it was sent. Values that would be returned in another form, and values that the service would refuse, therefore stay in the
 * config.
 */
export function takeFromLangfuseConfig(given: unknown, texts: Texts): { config: unknown } & ConfigParts {
  const taken = takeFromConfig(given);
  if (!isPlainObject(given) || !isPlainObject(taken.config)) return { config: given };
  const { config } = taken;
  const placeholders = listPlaceholders(texts);
  const variables = takeVariables(given.variables, taken, placeholders);
  const known = [...listNames(texts), ...variables.map(({ name }) => name)].filter((name) => !placeholders.includes(name));
  const names = new Set(known);
  const tools = taken.tools && hasOnlyTemplates(taken.tools, names) ? taken.tools : undefined;
  const output = taken.output && hasOnlyTemplates(taken.output, names) ? taken.output : undefined;
  return {
    config: {
      ...config,
      ...(taken.tools && !tools && { tools: given.tools }),
      ...(taken.output && !output && { response_format: given.response_format }),
      ...omitVariables(given.variables, variables),
    },
    ...(variables.length > 0 && { variables }),
    ...(tools && { tools }),
    ...(output && { output }),
  };
}

function takeVariables(notes: unknown, { variables = [] }: ConfigParts, placeholders: string[]): DeclaredVariable[] {
  if (!isPlainObject(notes) || variables.length + placeholders.length > maxTemplateVariables) return [];
  return variables.filter((variable) => {
    const written = addToConfig({}, { variables: [variable] });
    const isSame = isSameJson(written, { variables: { [variable.name]: notes[variable.name] } });
    return isSame && (!placeholders.includes(variable.name) || isForMessages(variable));
  });
}

/** Returns whether a declaration fits a placeholder, whose value is a list of messages. */
function isForMessages({ type = 'list', default: value }: DeclaredVariable): boolean {
  return type === 'list' && value === undefined;
}

function omitVariables(notes: unknown, taken: DeclaredVariable[]): { variables?: unknown } {
  if (taken.length === 0 || !isPlainObject(notes)) return notes === undefined ? {} : { variables: notes };
  const names = new Set(taken.map(({ name }) => name));
  const left = Object.entries(notes).filter(([name]) => !names.has(name));
  return left.length > 0 ? { variables: Object.fromEntries(left) } : {};
}

/**
 * Returns whether the descriptions can become templates. Other programs do not render descriptions, so braces in them may be plain text.
 * Tags that name variables of the prompt can become templates, because the program may have received these tags from the service.
 */
function hasOnlyTemplates(value: object, names: ReadonlySet<string>): boolean {
  let isTemplate = true;
  mapDescriptions(value, '', (text) => {
    isTemplate &&= isPlainText(text) && isPortable(text) && listTags(text).length === 0;
    isTemplate &&= findNames(text).every((name) => names.has(name));
    return text;
  });
  return isTemplate;
}

function listPlaceholders(texts: Texts): string[] {
  if ('template' in texts) return [];
  return texts.messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : []));
}

function listNames(texts: Texts): string[] {
  if ('template' in texts) return findNames(texts.template);
  const templates = texts.messages.flatMap((message) => ('content' in message ? listTemplates(message.content) : []));
  return templates.flatMap(({ text }) => findNames(text));
}

/** Finds the variables that the tags in the text name. */
function findNames(text: string): string[] {
  return [...text.matchAll(/\{\{[{&#^]?\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
}
