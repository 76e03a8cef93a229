import type { Field, Shape, Version } from './types.ts';

/** What a declaration is made from. */
export type TypedVersion = Pick<Version, 'name' | 'type' | 'variables' | 'messages'>;

/**
 * The declaration file that tells the compiler the names and variables of prompts. The same versions always give the same text,
 * in whatever order they come.
 */
export function generateTypes(versions: Iterable<TypedVersion>): string {
  const entries = [...versions].sort((a, b) => (a.name < b.name ? -1 : 1)).map(describePrompt);
  return [
    '// Written by `promptharbor types`. Do not edit: run it again after a change.',
    "import '@promptharbor/client';",
    '',
    "declare module '@promptharbor/client' {",
    `  interface Prompts {${entries.length === 0 ? '' : '\n'}${entries.join('')}${entries.length === 0 ? '' : '  '}}`,
    '}',
    '',
  ].join('\n');
}

function describePrompt({ name, type, variables, messages = [] }: TypedVersion): string {
  const placeholders = new Set(messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])));
  const fields = variables.map((variable) =>
    placeholders.has(variable.name) ? describeField(variable, messagesType) : describeField(variable, toType(variable)),
  );
  return `    ${quote(name)}: { type: ${quote(type)}; variables: ${toObject(fields)} };\n`;
}

const messagesType = "readonly { role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'; content: string }[]";
const text = 'string | number | boolean';

function toType({ kind, fields = [], items = {} }: Shape): string {
  switch (kind) {
    case 'text':
      return text;
    case 'list':
      return `readonly ${wrap(toType(items))}[]`;
    case 'object':
      return toObject(fields.map((field) => describeField(field, toType(field))));
    default:
      return 'unknown';
  }
}

function describeField({ name, required }: Field, type: string): string {
  return `${typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) ? name : quote(name)}${required ? '' : '?'}: ${type}`;
}

function toObject(fields: string[]): string {
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function wrap(type: string): string {
  return type.includes(' | ') || type.startsWith('readonly') ? `(${type})` : type;
}

/**
 * Security: returns a TypeScript string literal, whatever the service has sent. JSON has the same escapes as TypeScript. Characters that
 * would end the line or are invisible in an editor are escaped as well.
 */
function quote(text: string): string {
  const escaped = JSON.stringify(String(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => character.split('').map(escapeUnit).join(''))}'`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
