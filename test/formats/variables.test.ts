import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runJob } from '../../src/domain/templates/template-jobs.ts';
import { convertFiles } from '../../src/formats/convert.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((word) => !reserved.has(word));
const reserved = new Set([
  ...['true', 'false', 'nil', 'null', 'empty', 'blank', 'none', 'this', 'else', 'if', 'each', 'with', 'log', 'json', 'role', 'env', 'loop'],
  ...[
    'and',
    'or',
    'not',
    'in',
    'is',
    'contains',
    'self',
    'super',
    'caller',
    'range',
    'dict',
    'media',
    'section',
    'history',
    'lookup',
    'unless',
  ],
]);
const space = fc.constantFrom('', ' ', '  ');
/** Generates plain text, which may contain braces that form no tag. */
const plain = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !/\{[{%#]|[{}\\]$|^[{}]|^\s*#?\s*\w+\s*:|---|\p{Cc}/u.test(text));
const part = fc.oneof(plain, fc.record({ name, before: space, after: space }));
const parts = fc.array(part, { minLength: 1, maxLength: 8 });

/** Wraps a template in a file of each format. */
const files: Record<string, (text: string) => { path: string; text: string }> = {
  dotprompt: (text) => ({ path: 'a.prompt', text: `---\nmodel: m\n---\n${text}` }),
  prompty: (text) => ({ path: 'a.prompty', text: `---\nname: a\n---\nuser:\n${text}` }),
  promptfoo: (text) => ({ path: 'a.json', text: JSON.stringify({ prompts: [{ label: 'a', raw: text }] }) }),
};

describe('plain variables', () => {
  for (const [format, write] of Object.entries(files)) {
    it(`of ${format} files are filled in by the service as they are by the original format`, async () => {
      await fc.assert(
        fc.asyncProperty(parts, async (tokens) => {
          const text = `x ${tokens.map((token) => (typeof token === 'string' ? token : `{{${token.before}${token.name}${token.after}}}`)).join('')} x`;
          const names = tokens.flatMap((token) => (typeof token === 'string' ? [] : [token.name]));
          const variables = Object.fromEntries(names.map((each) => [each, `<${each} & "{{ y }}">`]));
          const expected = `x ${tokens.map((token) => (typeof token === 'string' ? token : variables[token.name])).join('')} x`;
          const { prompts } = await convertFiles([write(text)]);
          const draft = prompts[0]?.draft;
          assert.ok(draft, JSON.stringify(prompts[0]?.findings));
          const [message] = draft.messages ?? [{ content: draft.template }];
          const source = message && 'content' in message ? message.content : undefined;
          assert.equal(source, text);
          const result = runJob({ kind: 'render', sources: [{ path: '/template', text }], syntax: draft.syntax, variables, partials: {} });
          assert.ok(result.ok, JSON.stringify(result));
          assert.deepEqual(result.texts, [expected]);
        }),
        { numRuns: 300 },
      );
    });
  }
});
