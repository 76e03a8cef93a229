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

  it('random prompts are read as written, the same content gives the same bytes, and an update without a change changes nothing', () => {
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

  it('keep text that a YAML block cannot represent', () => {
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

  it('the order of tags and of keys in the config does not count; everything else does', () => {
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

  it('have variables by name, tools, the output schema and parts, in the documented form', () => {
    const text = `name: a
variables:
  photo:
    type: image
    description: What to look at
  tone:
    type: enum
    values:
      - warm
      - dry
    default: warm
messages:
  - role: user
    content:
      - type: text
        text: "{{ tone }}"
      - type: image
        url: "{{ photo }}"
        detail: low
tools:
  - name: find_order
    description: Finds an order.
    parameters:
      type: object
      properties:
        id:
          type: string
    strict: true
output:
  schema:
    type: object
  name: answer
`;
    const { content } = parsePromptFile(text);
    assert.deepEqual(content, {
      description: '',
      tags: [],
      config: {},
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '{{ tone }}' },
            { type: 'image', url: '{{ photo }}', detail: 'low' },
          ],
        },
      ],
      variables: [
        { name: 'photo', type: 'image', description: 'What to look at' },
        { name: 'tone', type: 'enum', values: ['warm', 'dry'], default: 'warm' },
      ],
      tools: [
        {
          name: 'find_order',
          description: 'Finds an order.',
          parameters: { type: 'object', properties: { id: { type: 'string' } } },
          strict: true,
        },
      ],
      output: { schema: { type: 'object' }, name: 'answer' },
    });
    assert.equal(formatPromptFile('a', content), text);
    const listed = parsePromptFile('template: x\nvariables: [{ name: tone, type: text }]\n').content;
    assert.deepEqual(listed.variables, [{ name: 'tone', type: 'text' }]);
  });

  it('have the same digest as in earlier versions if they have no declarations', () => {
    const { content } = parsePromptFile(example);
    assert.equal(digestContent(content), '-sBU8qDKHfU7q3EQStw_FCIuls_N-EAIp8WIDB60uMg');
    const { content: same } = parsePromptFile(`${example}variables: { question: }\ntools: []\n`);
    assert.equal(digestContent(same), digestContent(content));
  });

  it('an update keeps variables that are listed without a declaration, and the comments of declarations', () => {
    const text = `template: "{{ a }} {{ b }}"
variables:
  a: # anything
  b:
    type: number # in days
    default: 1
tools:
  # The only one
  - name: find
`;
    const { content } = parsePromptFile(text);
    assert.equal(updatePromptFile(text, 'a', content), text);
    const variables = [{ name: 'b', type: 'number' as const, default: 2 }];
    assert.equal(updatePromptFile(text, 'a', { ...content, variables }), text.replace('default: 1', 'default: 2'));
    const { variables: _, tools: __, ...without } = content;
    assert.equal(updatePromptFile(text, 'a', without), 'template: "{{ a }} {{ b }}"\nvariables:\n  a: # anything\n');
  });

  it('the order of variables and of keys in declarations and parts does not count; everything else does', () => {
    const content: PromptContent = {
      description: '',
      tags: [],
      config: {},
      messages: [{ role: 'user', content: [{ type: 'image', url: 'x', detail: 'low' }] }],
      variables: [{ name: 'a', type: 'text', default: 'x' }],
      tools: [{ name: 'a', description: 'x' }, { name: 'b' }],
      output: { schema: { type: 'object', properties: {} } },
    };
    const same: PromptContent = {
      ...content,
      messages: [{ role: 'user', content: [{ detail: 'low', url: 'x', type: 'image' }] }],
      variables: [{ default: 'x', type: 'text', name: 'a' }],
      tools: [{ description: 'x', name: 'a' }, { name: 'b' }],
      output: { schema: { properties: {}, type: 'object' } },
    };
    assert.equal(digestContent(content), digestContent(same));
    const others: Partial<PromptContent>[] = [
      { messages: [{ role: 'user', content: [{ type: 'image', url: 'x' }] }] },
      { messages: [{ role: 'user', content: 'x' }] },
      { variables: [{ name: 'a', type: 'text', default: 'y' }] },
      { variables: undefined },
      { tools: [{ name: 'b' }, { name: 'a', description: 'x' }] },
      { tools: undefined },
      { output: undefined },
      { output: { schema: { type: 'object', properties: {} }, strict: false } },
    ];
    const digests = new Set(others.map((other) => digestContent({ ...content, ...other })));
    assert.equal(digests.size, others.length);
    assert.ok(!digests.has(digestContent(content)));
  });

  const refused: [string, RegExp, number?][] = [
    ['template: x\nvariables: tone', /"variables" must have variable names as keys/],
    ['template: x\nvariables: { tone: text }', /variables\/tone: must have keys such as type/],
    ['template: x\nvariables: { "a b": }', /variables\/a b: use up to 100 letters/],
    ['template: x\nvariables: { tone: { kind: text } }', /variables\/tone: unknown key "kind"\. Use type, description/],
    ['template: x\nvariables: { tone: { type: string } }', /variables\/tone\/type: must be one of text, number/],
    ['template: x\nvariables: { tone: { type: enum } }', /variables\/tone\/values: list up to 100/],
    ['template: x\nvariables: { tone: { type: enum, values: [1] } }', /Put numbers in quotes/],
    ['template: x\nvariables: { tone: { type: text, values: [a] } }', /only a variable with "type: enum" has values/],
    ['template: x\nvariables: { n: { type: number, default: "1" } }', /variables\/n\/default: must be a number/],
    ['template: x\nvariables: { n: { type: image, example: x } }', /variables\/n\/example: must be an image/],
    ['template: x\nvariables: { n: { description: 5 } }', /variables\/n\/description: must be a string/],
    ['template: x\nvariables: [{ name: a }, { name: a }]', /variables: "a" is listed twice/],
    ['template: x\ntools: { find: {} }', /"tools" must be a list/],
    ['template: x\ntools: [{ name: "a b" }]', /tools\/0\/name: must have up to 64/],
    ['template: x\ntools: [{ name: a }, { name: a }]', /tools\/1\/name: another tool has this name/],
    ['template: x\ntools: [{ type: function, function: { name: a } }]', /tools\/0: unknown key "type"/],
    ['template: x\ntools: [{ name: a, parameters: { type: array } }]', /tools\/0\/parameters\/type: must be object/],
    ['template: x\ntools: [{ name: a, parameters: { type: strnig } }]', /tools\/0\/parameters\/type: not valid in a JSON Schema/],
    ['template: x\noutput: { type: object }', /output: unknown key "type"\. Use schema, name, strict/],
    ['template: x\noutput: { schema: { required: a } }', /output\/schema\/required: not valid in a JSON Schema/],
    ['template: x\noutput: { schema: {}, strict: "yes" }', /output\/strict: must be true or false/],
    ['messages: [{ role: user, content: [] }]', /messages\/0\/content: must be a string, or a list/],
    ['messages: [{ role: user, content: [{ type: video }] }]', /messages\/0\/content\/0: a part must have "type"/],
    ['messages: [{ role: user, content: [{ type: image }] }]', /must have "url" \(optional: "detail"\), or "data" and "mediaType"/],
    ['messages: [{ role: user, content: [{ type: text, text: 5 }] }]', /messages\/0\/content\/0\/text: must be a string/],
    ['messages: [{ role: user, content: [{ type: image, url: x, detail: big }] }]', /detail: must be auto, low, high/],
    ['messages: [{ role: user, content: [{ type: audio, data: x, mediaType: audio/ogg }] }]', /mediaType: must be audio\/wav or/],
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
