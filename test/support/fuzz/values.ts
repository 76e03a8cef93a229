import type { Random } from '../random.ts';

export type Schema = Record<string, unknown> & {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
};

/** Strings that often cause errors. None of them is used as a password. */
export const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff x',
  '\u202e',
  '\ufeff',
  'é'.normalize('NFD'),
  '👩‍👩‍👧',
  '..',
  '../../etc/passwd',
  '%00',
  '%ff',
  '%2e%2e%2f',
  "' or '1'='1",
  '"; --',
  '{{ x',
  '{% for a in (1..100000000) %}{% endfor %}',
  "{% render 'support/reply' %}",
  '{{#a}}{{/b}}',
  '$&',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '-1',
  '1e999',
  '9007199254740993',
  '0x10',
  'https://nowhere.invalid/',
  'http://127.0.0.1:1/',
  'http://[::1',
  'javascript:alert(1)',
  '2026-02-30T99:99:99Z',
  'a'.repeat(201),
  'x'.repeat(5000),
];

const longText = 'ü'.repeat(70_000);

const oddNumbers = [0, -0, -1, 1, 0.1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 1e308, 5e-324];

/** Returns an odd value of any type. */
export function oddValue(random: Random, depth = 3): unknown {
  const kind = random.below(depth > 0 ? 8 : 5);
  if (kind < 3) return random.below(500) === 0 ? longText : random.pick(oddTexts);
  if (kind === 3) return random.pick(oddNumbers);
  if (kind === 4) return random.pick([null, true, false]);
  const length = random.below(5);
  if (kind < 7) return Array.from({ length }, () => oddValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length }, () => [random.pick(oddTexts), oddValue(random, depth - 1)]));
}

export interface ValueOptions {
  random: Random;
  resolve(reference: string): Schema;
  /** Returns a string that the service sent in a field with this name, such as an id. Returns undefined if there is no such string. */
  known(name: string): string | undefined;
}

/** Returns a value that roughly matches a schema. */
export function valueFor(schema: Schema, name: string, options: ValueOptions, depth = 6): unknown {
  const { random, resolve, known } = options;
  if (schema.$ref !== undefined) return valueFor(resolve(schema.$ref), name, options, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.examples && schema.examples.length > 0 && random.below(2) === 0) return random.pick(schema.examples);
  if (depth <= 0) return null;
  if (schema.anyOf) return valueFor(random.pick(schema.anyOf), name, options, depth - 1);
  switch (schema.type) {
    case 'object':
      return objectFor(schema, options, depth);
    case 'array':
      return Array.from({ length: random.below(4) }, () => valueFor(schema.items ?? {}, name, options, depth - 1));
    case 'string':
      return (random.below(3) > 0 ? known(name) : undefined) ?? `text ${random.below(50)}`;
    case 'integer':
      return 1 + random.below(5);
    case 'number':
      return random.below(100) / 10;
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    default:
      return oddValue(random, 2);
  }
}

function objectFor({ properties = {}, required = [] }: Schema, options: ValueOptions, depth: number): Record<string, unknown> {
  const { random } = options;
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.below(2) === 0);
  return Object.fromEntries(names.map((name) => [name, valueFor(properties[name] ?? {}, name, options, depth - 1)]));
}
