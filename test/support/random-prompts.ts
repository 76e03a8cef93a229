import fc from 'fast-check';
import { findNameProblem } from '../../src/contract/prompt-names.ts';
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
  .filter(
    (value) =>
      !/"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(value)) &&
      JSON.stringify(value).isWellFormed() &&
      !/\\u(?:d[89a-f]|0000)/i.test(JSON.stringify(value)),
  );

const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const), content: text }),
  fc.record({ placeholder: fc.constantFrom('history', 'examples') }),
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
  })
  .map(({ body, ...rest }) => ({ ...rest, ...body }));
// Returns ordinary objects, like those that are read from a file or a response.
const prompt = fc.record({ name, content }).map((value) => JSON.parse(JSON.stringify(value)) as RandomPrompt);
