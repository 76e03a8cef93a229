import { messageRoles } from '../contract/message-roles.ts';
import type { Messages } from '../contract/versions.ts';
import type { ConfigParts } from './config-parts.ts';
import { FileProblem } from './file-problem.ts';
import { isPlainObject } from './json-values.ts';
import { readDeclarations } from './prompt-declarations.ts';
import { readMessageContent } from './prompt-parts.ts';

/** The content that a file and the newest version of a prompt have in common. Declared variables are sorted by name. */
export interface PromptContent extends ConfigParts {
  description: string;
  tags: string[];
  config: unknown;
  /** The template language, if it is not Liquid. */
  syntax?: 'mustache';
  /** The template of a text prompt. A chat prompt has `messages` instead. */
  template?: string;
  messages?: Messages;
}

/** The keys of a `.prompt.yaml` file, in the order in which they are written. */
export const knownKeys = [
  ...['name', 'description', 'tags', 'model', 'modelParameters', 'responseFormat', 'config', 'variables', 'syntax', 'template', 'messages'],
  ...['tools', 'output'],
];
/** Keys that other programs use in this format, or that are only for people. Such keys stay in the file. */
export const ignoredKeys = ['testData', 'evaluators'];

/** Reads the content of a prompt from the keys of its file, or throws a FileProblem that says what is wrong. */
export function readContent(fields: Record<string, unknown>): PromptContent {
  return {
    description: readText(fields, 'description') ?? '',
    tags: readTags(fields.tags),
    config: readConfig(fields),
    ...readSyntax(fields.syntax),
    ...readTexts(fields),
    ...readDeclarations(fields),
  };
}

export function readText(fields: Record<string, unknown>, key: string): string | undefined {
  const value = fields[key];
  if (value === undefined || typeof value === 'string') return value;
  throw new FileProblem(`"${key}" must be a string. Put it in quotes`);
}

function readTags(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return value;
  throw new FileProblem('"tags" must be a list of strings, such as [support, mail]');
}

function readSyntax(value: unknown): { syntax?: 'mustache' } {
  if (value === undefined || value === 'liquid') return {};
  if (value === 'mustache') return { syntax: value };
  throw new FileProblem('"syntax" must be liquid (the default) or mustache');
}

function readConfig(fields: Record<string, unknown>): unknown {
  const { model, modelParameters = {}, responseFormat, config } = fields;
  if (config !== undefined) {
    if (model !== undefined || fields.modelParameters !== undefined || responseFormat !== undefined) {
      throw new FileProblem('Use either "config", or "model", "modelParameters" and "responseFormat"');
    }
    return config;
  }
  if (!isPlainObject(modelParameters)) throw new FileProblem('"modelParameters" must consist of keys and values');
  const given = { ...(model !== undefined && { model }), ...(responseFormat !== undefined && { responseFormat }) };
  const twice = Object.keys(given).find((key) => Object.hasOwn(modelParameters, key));
  if (twice) throw new FileProblem(`"${twice}" appears twice. Remove it from "modelParameters"`);
  return { ...given, ...modelParameters };
}

function readTexts(fields: Record<string, unknown>): { template: string } | { messages: Messages } {
  const template = readText(fields, 'template');
  const { messages } = fields;
  if (template !== undefined && messages !== undefined) throw new FileProblem('Use either "template" or "messages"');
  if (template !== undefined) return { template };
  if (!Array.isArray(messages)) throw new FileProblem('"template" is missing, or "messages" (a list) for a chat prompt');
  // Models know only these roles. Mustache versions come from other programs and may have other roles.
  const roles = fields.syntax === 'mustache' ? undefined : messageRoles;
  return { messages: messages.map((message, index) => readMessage(message, index, roles)) };
}

function readMessage(message: unknown, index: number, roles: readonly string[] | undefined): Messages[number] {
  if (isPlainObject(message)) {
    const { content, placeholder, role } = message;
    const hasKeys = (...keys: string[]) => Object.keys(message).length === keys.length && keys.every((key) => Object.hasOwn(message, key));
    const isKnown = typeof role === 'string' && (roles?.includes(role) ?? true);
    if (typeof placeholder === 'string' && hasKeys('placeholder')) return { placeholder };
    if (isKnown && hasKeys('role', 'content')) return { role, content: readMessageContent(content, `messages/${index}/content`) };
  }
  throw new FileProblem(
    `messages/${index}: a message must have either "role" (${messageRoles.join(', ')}) and "content" (a string, or a list of parts), or only ` +
      '"placeholder"',
  );
}
