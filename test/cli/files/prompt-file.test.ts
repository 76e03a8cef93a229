import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestContent } from '../../../src/cli/files/content.ts';
import { formatPromptFile, parsePromptFile, updatePromptFile } from '../../../src/cli/files/prompt-file.ts';
import { FileProblem } from '../../../src/formats/file-problem.ts';
import type { PromptContent } from '../../../src/formats/prompt-fields.ts';
import { randomPrompts } from '../../support/random-prompts.ts';

const example = `name: support/reply
description: Answers a support mail
tags: [support]
model: gpt-5-mini
modelParameters:
  temperature: 0.2
messages:
  - role: system
    content: |
      You are kind.
      {% if vip %}Use the first name.{% endif %}
  - placeholder: history
  - role: user
    content: "{{ question }}"
`;

describe('Files of prompts', () => {
  it('have the documented form, byte for byte', () => {
    const { name, content } = parsePromptFile(example);
    assert.equal(name, 'support/reply');
    assert.deepEqual(content, {
      description: 'Answers a support mail',
      tags: ['support'],
      config: { model: 'gpt-5-mini', temperature: 0.2 },
      messages: [
        { role: 'system', content: 'You are kind.\n{% if vip %}Use the first name.{% endif %}\n' },
        { placeholder: 'history' },
        { role: 'user', content: '{{ question }}' },
      ],
    });
    assert.equal(formatPromptFile('support/reply', content), example);
  });

  it('random prompts: what is written is read, the same content gives the same bytes, and an update without a change changes nothing', () => {
    for (const { name, content } of randomPrompts(300)) {
      const text = formatPromptFile(name, content);
      const parsed = parsePromptFile(text);
      assert.equal(parsed.name, name);
      assert.deepEqual(parsed.content, content);
      assert.equal(digestContent(parsed.content), digestContent(content));
      assert.equal(updatePromptFile(text, name, content), text);
    }
  });

  it('hold mustache templates, their roles, and any config', () => {
    const common = { description: '', tags: [] };
    const contents: PromptContent[] = [
      { ...common, config: {}, syntax: 'mustache', template: '{{#items}}{{{name}}}{{/items}}' },
      { ...common, config: {}, syntax: 'mustache', messages: [{ role: 'narrator', content: '{{! x }}' }] },
      ...[null, 0, false, 'text', [1, { a: null }], {}].map((config) => ({ ...common, config, template: 'x' })),
    ];
    const files = contents.map((content) => formatPromptFile('a', content));
    for (const [index, content] of contents.entries()) {
      assert.deepEqual(parsePromptFile(files[index] ?? '').content, content);
      for (const file of files) assert.deepEqual(parsePromptFile(updatePromptFile(file, 'a', content)).content, content);
    }
    assert.equal(new Set(contents.map(digestContent)).size, contents.length);
    assert.throws(() => parsePromptFile('syntax: jinja\ntemplate: x\n'), FileProblem);
    assert.throws(() => parsePromptFile('messages: [{role: narrator, content: x}]\n'), FileProblem);
  });

  it('keeps text that a YAML block cannot represent', () => {
    for (const template of ['  \n', ' \n\n', '\n  \n', '\t\n', '  \n x', '\n\n', '   ', '\n', ' \n \n  x\n ', '\r\n', 'x\n\u0020']) {
      const content = {
        description: template,
        tags: [],
        config: { stop: template },
        messages: [{ role: 'user' as const, content: template }],
      };
      assert.deepEqual(parsePromptFile(formatPromptFile('a', content)).content, content, JSON.stringify(template));
    }
  });

  it('random updates: the file has the new content, whatever its previous content was', () => {
    const prompts = randomPrompts(300, 2);
    for (const [index, { name, content }] of prompts.entries()) {
      const before = prompts[(index + 1) % prompts.length] ?? prompts[index];
      assert.ok(before);
      const updated = updatePromptFile(formatPromptFile(name, before.content), name, content);
      assert.equal(digestContent(parsePromptFile(updated).content), digestContent(content));
    }
  });

  it('an update keeps comments, own keys, and the style of what it does not change', () => {
    const text = `# About replies
name: a # its name
variables:
  question: { description: What was asked }
tags:
  # for the search
  - mail
config:
  # Cheap
  model: 'small'
  temperature: 1 # warm
x-owner: ada
messages:
  # The frame
  - role: system
    content: Be kind. # always
  - role: user
    content: old
`;
    const { content } = parsePromptFile(text);
    const messages = [
      { role: 'system' as const, content: 'Be kind.' },
      { role: 'user' as const, content: 'new\ntext\n' },
    ];
    const updated = updatePromptFile(text, 'a', { ...content, messages, config: { model: 'small', temperature: 0.5 } });
    assert.equal(
      updated,
      text.replace('temperature: 1 #', 'temperature: 0.5 #').replace('content: old\n', 'content: |\n      new\n      text\n'),
    );
  });

  it('the order of tags and of keys in the config does not count, everything else does', () => {
    const content = { description: '', tags: ['b', 'a'], config: { b: 1, a: { d: 1, c: [1, 2] } }, template: 'x' };
    const same = { description: '', tags: ['a', 'b'], config: { a: { c: [1, 2], d: 1 }, b: 1 }, template: 'x' };
    assert.equal(digestContent(content), digestContent(same));
    const others = [
      { template: 'x ' },
      { template: 'x\r\n' },
      { description: 'x' },
      { tags: [] },
      { config: {} },
      { config: { b: 1, a: { d: 1, c: [2, 1] } } },
    ];
    for (const other of others) assert.notEqual(digestContent({ ...content, ...other }), digestContent(content));
  });

  const refused: [string, RegExp, number?][] = [
    ['', /must have keys/],
    ['- a', /must have keys/],
    ['template: x\nmessages: []', /either "template" or "messages"/],
    ['name: a', /"template" is missing/],
    ['template: 5', /"template" must be a string/],
    ['template: x\ntemplate: y', /Not valid YAML/, 2],
    ['a: [', /Not valid YAML/],
    ['template: x\nmesages: y', /Unknown key "mesages"/],
    ['template: x\ntags: mail', /"tags" must be a list/],
    ['template: x\nconfig: {}\nmodel: y', /either "config"/],
    ['template: x\nmodel: y\nmodelParameters: { model: z }', /"model" appears twice/],
    ['template: x\nmodelParameters: { a: .inf }', /modelParameters\/a: JSON cannot represent this number/],
    ['template: x\nmodelParameters: { __proto__: 1 }', /__proto__/],
    ['messages: [{ role: robot, content: x }]', /messages\/0: a message must have either "role"/],
    ['messages: [{ role: user, content: x, name: y }]', /messages\/0/],
    ['messages: [{ role: user, placeholder: x }]', /messages\/0/],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`)
        .join('\n')}`,
      /Not valid YAML|Unknown key/,
    ],
  ];
  for (const [text, message, line] of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.throws(
        () => parsePromptFile(text),
        (err) => err instanceof FileProblem && message.test(err.message) && (line === undefined || err.line === line),
      );
    });
  }
});
