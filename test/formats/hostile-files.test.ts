import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertFiles } from '../../src/formats/convert.ts';
import { convertOne } from './support.ts';

const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
  .split('')
  .map((key, index) => `${key}: &${key} [${Array(10).fill(`*${'abcdefg'[index]}`).join(', ')}]`)
  .join('\n')}`;

describe('hostile files', () => {
  const refused: [what: string, path: string, text: string, why: RegExp][] = [
    ['aliases without end', 'a.prompt', `---\n${bomb}\n---\nx`, /alias/i],
    ['aliases in a config', 'promptfooconfig.yaml', `prompts: [x]\n${bomb}`, /alias/i],
    ['__proto__', 'a.prompty', '---\nmodel:\n  __proto__: { admin: true }\n---\nx', /__proto__/],
    ['__proto__ in JSON', 'promptfooconfig.json', '{"prompts": ["x"], "__proto__": {"a": 1}}', /__proto__/],
    ['constructor', 'a.prompt.yaml', 'template: x\nconfig: { constructor: { prototype: {} } }', /constructor/],
    ['10 MB of YAML', 'a.prompt', `---\ndescription: ${'x'.repeat(10_000_000)}\n---\nx`, /more than/],
    ['10 MB of text', 'a.prompt', 'x'.repeat(10_000_000), /more than/],
    ['brackets without end', 'a.prompt', `---\na: ${'['.repeat(1_000_000)}\n---\nx`, /YAML|deep/],
    ['nesting without end', 'a.prompt', `---\n${'- '.repeat(500_000)}x\n---\nx`, /YAML|deep/],
    ['keys without end', 'a.prompt', `---\n${'? '.repeat(500_000)}x\n---\nx`, /YAML|deep/],
    ['deep JSON', 'promptfooconfig.json', `{"prompts": ${'['.repeat(500_000)}${']'.repeat(500_000)}}`, /deep|more than|JSON/],
    ['binary', 'a.prompt', '\u0000\u0001\u0002PNG', /control characters/],
    ['a lone surrogate', 'a.prompty', 'x \ud800', /control characters|Unicode/],
    ['front matter without end', 'a.prompt', '---\nname: a\nHello', /not closed/],
    ['a list as front matter', 'a.prompt', '---\n- a\n---\nx', /keys/],
    ['duplicate keys', 'a.prompt', '---\nname: a\nname: b\n---\nx', /YAML/],
    ['no text', 'a.prompty', '---\nname: a\n---\n', /no text/],
    ['a name that leaves the folder', 'a.prompt', '---\nname: ../../etc/passwd\n---\nx', /Not a valid prompt name/],
    ['a name of control characters', 'a.prompt', '---\nname: "a\\u202eb"\n---\nx', /Not a valid prompt name/],
    ['open tags without end', 'a.prompt', '{{#if x}}'.repeat(50_000), /block/],
    ['open braces without end', 'a.prompt', '{'.repeat(200_000), /not closed/],
  ];
  for (const [what, path, text, why] of refused) {
    it(`refuses ${what}`, async () => {
      const { prompts, findings } = await convertFiles([{ path, text }]);
      assert.deepEqual(
        prompts.flatMap(({ draft }) => draft ?? []),
        [],
      );
      const messages = [...findings, ...prompts.flatMap((prompt) => prompt.findings)].filter(({ severity }) => severity === 'error');
      assert.match(messages.map(({ message }) => message).join('\n'), why);
      assert.ok(messages.length <= 60, `${messages.length} findings`);
    });
  }

  it('accepts values with the types that YAML gives them', async () => {
    const text =
      '---\nname: 42\ndescription: [1]\nmodel: { a: 1 }\nconfig: text\ninput: 3\noutput: [1]\ntoolDefs: [null]\n---\nHello {{x}}';
    const { name, draft } = await convertOne('folder/a.prompt', text);
    assert.deepEqual([name, draft], ['folder/a', { name: 'folder/a', syntax: 'liquid', template: 'Hello {{x}}', config: {} }]);
    const prompty = '---\nname: {}\ntags: 3\nmodel: [1]\ninputs: 7\noutputs: x\ntools: x\nmetadata: 1\n---\nHello';
    assert.deepEqual((await convertOne('b.prompty', prompty)).draft?.config, {});
  });

  it('accepts any value in a config', async () => {
    for (const value of ['null', '3', '[]', '[null, 3, {}, {raw: {}}]', '{a: 1}', '""']) {
      const text = `prompts: ${value}\nproviders: ${value}\ntests: ${value}\ndefaultTest: ${value}\n`;
      const { prompts } = await convertFiles([{ path: 'promptfooconfig.yaml', text }]);
      assert.ok(prompts.every(({ draft }) => draft === undefined || draft.template !== ''));
    }
    const pattern = await convertFiles([
      { path: 'promptfooconfig.yaml', text: `prompts: ["file://${'**/'.repeat(200)}x.txt", "file://${'a*'.repeat(2000)}.txt"]` },
      { path: `${'a'.repeat(5000)}.txt`, text: 'x' },
    ]);
    assert.equal(pattern.findings.length, 1);
  });

  it('imports only the first of two files with the same name', async () => {
    const { prompts } = await convertFiles([
      { path: 'x.prompt', text: 'one' },
      { path: 'x.prompty', text: 'two' },
    ]);
    assert.deepEqual(
      prompts.map(({ draft }) => draft?.template),
      ['one', undefined],
    );
    assert.match(prompts[1]?.findings[0]?.message ?? '', /^x\.prompt has the same name/);
  });
});
