import { FileProblem } from './file-problem.ts';
import { isPlainObject } from './json-values.ts';

type Schema = Record<string, unknown>;

const scalars = ['string', 'number', 'integer', 'boolean', 'null', 'any'];

/**
 * Converts Picoschema, the short notation of dotprompt, to a JSON schema. A JSON schema stays unchanged. Throws a FileProblem if the value
 * is neither.
 */
export function parsePicoschema(value: unknown): Schema {
  if (typeof value === 'string') return parseScalar(value);
  if (!isPlainObject(value)) throw new FileProblem('A schema must have keys or be the name of a type');
  if (typeof value.type === 'string' && [...scalars, 'object', 'array'].includes(value.type)) return value;
  if (isPlainObject(value.properties)) return { type: 'object', ...value };
  return parseObject(value);
}

function parseScalar(text: string): Schema {
  const comma = text.indexOf(',');
  const type = (comma < 0 ? text : text.slice(0, comma)).trim();
  const description = comma < 0 ? '' : text.slice(comma + 1).trim();
  if (!scalars.includes(type)) throw new FileProblem(`The schema "${type}" is not defined in the file`);
  return { ...(type !== 'any' && { type }), ...(description !== '' && { description }) };
}

function parseObject(fields: Record<string, unknown>): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  let additionalProperties: unknown = false;
  for (const [key, value] of Object.entries(fields)) {
    if (key === '(*)') {
      additionalProperties = parsePicoschema(value);
      continue;
    }
    const { name, isOptional, kind, description } = parseKey(key);
    if (!isOptional) required.push(name);
    properties[name] = { ...parseField(kind, value), ...(description !== '' && { description }) };
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties };
}

/** Parses a key such as `name?(kind, description)`. Only the name is required. */
function parseKey(key: string): { name: string; isOptional: boolean; kind: string; description: string } {
  const open = key.endsWith(')') ? key.indexOf('(') : -1;
  const before = open < 0 ? key : key.slice(0, open);
  const inside = open < 0 ? '' : key.slice(open + 1, -1);
  const comma = inside.indexOf(',');
  const isOptional = before.endsWith('?');
  return {
    name: isOptional ? before.slice(0, -1) : before,
    isOptional,
    kind: (comma < 0 ? inside : inside.slice(0, comma)).trim(),
    description: comma < 0 ? '' : inside.slice(comma + 1).trim(),
  };
}

function parseField(kind: string, value: unknown): Schema {
  if (kind === '') return isPlainObject(value) ? parseObject(value) : parsePicoschema(value);
  if (kind === 'array') return { type: 'array', items: isPlainObject(value) ? parseObject(value) : parsePicoschema(value) };
  if (kind === 'object') return isPlainObject(value) ? parseObject(value) : parsePicoschema(value);
  if (kind === 'enum' && Array.isArray(value)) return { enum: value };
  throw new FileProblem(`"${kind}" is not a Picoschema type (array, object or enum)`);
}
