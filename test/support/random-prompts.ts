import fc from 'fast-check';
import type { ContentPart } from '../../src/contract/content-parts.ts';
import { findNameProblem } from '../../src/contract/prompt-names.ts';
import type { ConfigParts, DeclaredVariable } from '../../src/formats/config-parts.ts';
import type { PromptContent } from '../../src/formats/prompt-fields.ts';
import { anyCharacter } from './any-character.ts';

export interface RandomPrompt {
  name: string;
  content: PromptContent;
}

/**
 * Generates the same prompts each time. The prompts may contain any character that the API allows, and include strings that are difficult
 * for files and YAML.
 */
export function randomPrompts(count: number, seed = 1): RandomPrompt[] {
  const names = new Set<string>();
  const samples = fc.sample(prompt, { numRuns: count * 5, seed });
  return samples.filter(({ name }) => !names.has(name) && names.add(name)).slice(0, count);
}

const difficult = [
  '\r\n',
  '\r',
  '\n',
  '\t',
  ' ',
  '  \n',
  '\n\n',
  '\u2028',
  '\u2029',
  '\u00a0',
  '\ufeff',
  '#',
  ': ',
  '- ',
  '"',
  "'",
  '\\',
  '%',
  '&',
  '*',
  '!',
  '|',
  '>',
  '---',
  '...',
  '{',
  '}',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  '語',
  '\u{10ffff}',
  '{{ name }}',
  '{% if vip %}x{% endif %}',
];
const isPlain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text.replaceAll(/[\t\r\n]/g, ''));
const character = anyCharacter.filter(isPlain);
/** Braces that happen to form a tag would not be a valid template. */
const isTemplate = (text: string) =>
  !/\{[{%]/.test(text.replaceAll('{{ name }}', '').replaceAll('{% if vip %}x{% endif %}', '')) &&
  !/\{\{\{|\{\{%|\{\{ name \}\}\}/.test(text);
const text = fc
  .array(fc.oneof(fc.constantFrom(...difficult), character, fc.string({ maxLength: 12 }).filter(isPlain)), { maxLength: 20 })
  .map((parts) => parts.join(''))
  .filter(isTemplate);

const segment = fc.oneof(
  fc.constantFrom(
    'con',
    'NUL',
    'Com1.x',
    'a.',
    '.git',
    'Reply',
    'reply',
    'REPLY',
    'a:b',
    'what?',
    '100%',
    '%41',
    'straße',
    'STRASSE',
    'x.prompt.yaml',
    'é',
    'k',
    '~',
    '-x',
    '語'.repeat(60),
    'a'.repeat(190),
  ),
  fc.array(fc.oneof(character, fc.constantFrom(...'abcXYZ019 ._-:?*%~')), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
);
const name = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/').normalize('NFC'))
  .filter((candidate) => findNameProblem(candidate) === undefined);

const config = fc
  .dictionary(
    fc.oneof(fc.constantFrom('model', 'temperature', 'responseFormat', 'stop', '1', '', 'config', 'a b', '<<', 'null', 'x\ny'), character),
    fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }),
    { maxKeys: 5 },
  )
  // Returns the value as JSON would contain it, without the keys and values that the service refuses.
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  .filter(isStorable);

const part: fc.Arbitrary<ContentPart> = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  fc.record(
    {
      type: fc.constant('image' as const),
      url: fc.constantFrom('{{ photo }}', 'https://a.example/b.png'),
      detail: fc.constantFrom('low' as const),
    },
    { requiredKeys: ['type', 'url'] },
  ),
  fc.record({ type: fc.constant('audio' as const), data: fc.constant('AAAA'), mediaType: fc.constant('audio/wav' as const) }),
  fc.record(
    { type: fc.constant('file' as const), data: fc.constant('AAAA'), mediaType: fc.constant('application/pdf'), filename: text },
    { requiredKeys: ['type', 'data', 'mediaType'] },
  ),
);
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
    content: fc.oneof(text, text, fc.array(part, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({ placeholder: fc.constantFrom('history', 'examples') }),
);
/** Returns the value as JSON would contain it, without what the service refuses. */
const anyJson = fc
  .jsonValue({ maxDepth: 2, stringUnit: anyCharacter })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => isStorable(value) && value !== undefined);
const note = text.filter((value) => value !== '' && value.length <= 500);
const variable: fc.Arbitrary<DeclaredVariable> = fc
  .record({
    name: fc.constantFrom('name', 'vip', 'photo', 'constructor', '__proto__', 'unused', '_1'),
    declared: fc.oneof(
      fc.record({ description: note }),
      fc.record({
        type: fc.constant('enum' as const),
        values: fc.uniqueArray(
          note.map((value) => value.slice(0, 10).toWellFormed()),
          { minLength: 1 },
        ),
      }),
      fc.record({ type: fc.constant('number' as const), default: fc.integer() }),
      fc.record({ type: fc.constant('text' as const), description: note, default: text, example: text }),
      fc.record({ default: anyJson }),
    ),
  })
  .map(({ name, declared }) => ({ name, ...declared }));
const schema = fc
  .record({
    description: text,
    properties: fc.dictionary(fc.oneof(note, fc.constantFrom('1', 'constructor')), fc.record({ default: anyJson })),
  })
  .map((fields) => ({ type: 'object', ...fields }))
  .filter(isStorable);
const tool = fc.record(
  { name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), description: text, parameters: schema, strict: fc.boolean() },
  { requiredKeys: ['name'] },
);
const output = fc.record({ schema, name: fc.constantFrom('answer', '1'), strict: fc.boolean() }, { requiredKeys: ['schema'] });
const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
const declarations: fc.Arbitrary<ConfigParts> = fc.record(
  {
    variables: fc
      .uniqueArray(variable, { minLength: 1, maxLength: 4, selector: ({ name: each }) => each })
      .map((variables) => variables.sort(byName)),
    tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 3, selector: ({ name: each }) => each }),
    output,
  },
  { requiredKeys: [] },
);
const content: fc.Arbitrary<PromptContent> = fc
  .record({
    description: fc.oneof(fc.constant(''), text.map((value) => value.slice(0, 500)).filter(isPlain)),
    tags: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }).filter(isPlain), { maxLength: 3 }).map((tags) => tags.sort()),
    config,
    body: fc.oneof(
      text.map((template) => ({ template })),
      fc.array(message, { minLength: 1, maxLength: 4 }).map((messages) => ({ messages })),
    ),
    declared: fc.oneof(fc.constant({}), declarations),
  })
  .map(({ body, declared, ...rest }) => ({ ...rest, ...body, ...declared }));
// Returns ordinary objects, like those that are read from a file or a response.
function isStorable(value: unknown): boolean {
  const json = JSON.stringify(value);
  return !/"(?:__proto__|prototype)":/.test(json) && json.isWellFormed() && !/\\u(?:d[89a-f]|0000)/i.test(json);
}

const prompt = fc.record({ name, content }).map((value) => JSON.parse(JSON.stringify(value)) as RandomPrompt);
