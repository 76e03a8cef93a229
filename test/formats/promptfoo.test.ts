import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertFiles, convertText } from '../../src/formats/convert.ts';
import type { PromptDraft } from '../../src/formats/draft-types.ts';
import { convertExamples, convertOne, promptNamed, summarize } from './support.ts';

describe('promptfoo configs', () => {
  it('keeps prompts of the config and of its files, the model, and tests as test cases; says what it leaves out', async () => {
    const conversion = await convertExamples('promptfoo');
    assert.deepEqual(
      conversion.prompts.map(({ name, draft }) => [name, draft?.template ?? draft?.messages]),
      [
        ['prompt-1', 'Translate to {{language}}: {{text}}'],
        [
          'prompts/chat',
          [
            { role: 'system', content: 'You translate to {{language}}.' },
            { role: 'user', content: '{{text}}' },
          ],
        ],
        ['variant-1', 'Say {{text}} in {{language}}.'],
        ['variant-2', 'How do you say {{text}} in {{language}}?'],
        ['shouting', undefined],
      ],
    );
    const { draft, cases } = promptNamed(conversion, 'prompt-1');
    assert.deepEqual(draft?.config, { model: 'gpt-5-mini', temperature: 0 });
    const latency = { kind: 'maxLatencyMs', on: 'output', value: 5000 };
    assert.deepEqual(cases, [
      {
        name: 'French',
        variables: { language: 'French', text: 'Good morning' },
        checks: [
          { kind: 'contains', on: 'output', value: 'Bonjour' },
          { kind: 'matches', on: 'output', value: '(?i)bon \\(jour\\)' },
          { kind: 'judge', on: 'output', rubric: 'is polite' },
          latency,
        ],
      },
      {
        name: 'JSON',
        variables: { language: 'Spanish', text: 'Hello' },
        checks: [{ kind: 'json', on: 'output' }, { kind: 'matches', on: 'output', value: '^\\{' }, latency],
      },
    ]);
    assert.deepEqual(summarize(conversion.findings), [
      'warning 10 prompts/build.py:make: Programs are not supported; skipped',
      'warning 11 file://prompts/missing.txt: The file was not selected; skipped. Select the folder that contains the config and this file',
      'warning 16 providers.0.config.apiKey: May be a secret; skipped',
      'warning 34 vars.language: promptfoo expands the list into several tests; test case "test 2" skipped',
      'warning 42 outputPath: Not supported; skipped',
    ]);
    assert.deepEqual(summarize(promptNamed(conversion, 'shouting').findings), [
      'note 8 {{ question | upper }}: Converted to {{ question | upcase }}',
      'error 8 {{ env.USER }}: Liquid does not support this keyword; prompt not imported',
    ]);
  });

  it('finds files by pattern, above its folder and as tests, but only selected files', async () => {
    const { prompts, findings, ignored } = await convertFiles([
      {
        path: 'evals/config.yaml',
        text: 'prompts: [file://../texts/*.txt, file:///etc/passwd, "file://../../out.txt"]\ntests: file://tests.json\n',
      },
      { path: 'evals/tests.json', text: '[{"vars": {"x": "1"}, "prompts": ["nobody"]}, {"vars": {"x": "2"}}]' },
      { path: 'texts/a.txt', text: 'A {{x}}' },
      { path: 'texts/b.md', text: 'B {{x}}' },
    ]);
    assert.deepEqual(
      prompts.map(({ name, cases }) => [name, cases.map(({ variables }) => variables)]),
      [['texts/a', [{ x: '2' }]]],
    );
    assert.deepEqual(
      findings.map(({ construct }) => construct),
      ['file:///etc/passwd', 'file://../../out.txt'],
    );
    assert.deepEqual(ignored, ['evals/tests.json', 'texts/b.md']);
  });
});

describe('.prompt.yaml files and exports of the dashboard', () => {
  it('reads GitHub’s and LangWatch’s keys', async () => {
    const conversion = await convertExamples('prompt-yaml');
    const github = promptNamed(conversion, 'Text summarizer');
    assert.deepEqual(github.draft?.config, { model: 'openai/gpt-4o-mini', temperature: 0.5 });
    assert.deepEqual(github.draft?.output, {
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      name: 'summary',
      strict: true,
    });
    assert.deepEqual(github.cases, [{ name: 'test 1', variables: { input: 'A long story.' }, checks: [] }]);
    assert.deepEqual(summarize(github.findings), [
      'note 12 jsonSchema: Saved as output',
      'warning 14 expected of test 1: Not supported as a check; skipped',
      'warning 16 evaluators: Not supported; skipped',
    ]);
    const langwatch = promptNamed(conversion, 'welcome');
    assert.deepEqual(langwatch.draft?.messages, [{ role: 'system', content: '{% if vip %}Dear{% endif %} {{ name }}' }]);
    assert.deepEqual(langwatch.draft?.config, { model: 'openai/gpt-5', response_format: { type: 'json_object' } });
    assert.deepEqual(summarize(langwatch.findings), ['warning 1 handle: Unknown key; skipped']);
  });

  it('reads declarations, parts in both forms, and each form of the output schema; what is not ours is skipped and reported', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const format = JSON.stringify({ type: 'json_schema', json_schema: { name: 'output', schema } });
    const read = async (text: string) => {
      const { draft, findings } = await convertOne('a.prompt.yaml', text);
      return [draft, summarize(findings)];
    };
    const own = { name: 'a', syntax: 'liquid', template: 'x', config: {} };
    for (const key of ['response_format', 'responseFormat']) {
      assert.deepEqual(await read(`${key}: ${format}\ntemplate: x\n`), [{ ...own, output: { schema } }, []], key);
    }
    assert.deepEqual(await read(`output: { schema: ${JSON.stringify(schema)} }\ntemplate: x\n`), [{ ...own, output: { schema } }, []]);
    const invalid = { type: 'json_schema', json_schema: { name: 'output', schema: { type: 'strnig' } } };
    assert.deepEqual(await read(`response_format: ${JSON.stringify(invalid)}\nmodel: m\ntemplate: x\n`), [
      { ...own, config: { model: 'm', response_format: invalid } },
      [],
    ]);
    assert.deepEqual(await read('variables: { tone: { type: enum, values: [warm] } }\ntemplate: x\n'), [
      { ...own, variables: [{ name: 'tone', type: 'enum', values: ['warm'] }] },
      [],
    ]);
    assert.deepEqual(await read('variables: { tone: { kind: string } }\ntemplate: x\n'), [
      own,
      ['warning 1 variables: variables/tone: unknown key "kind". Use type, description, values, default, example; skipped'],
    ]);
    const [draft] = await read(
      'messages:\n  - role: user\n    content:\n      - { type: image_url, image_url: { url: "{{photo}}" } }\n  - role: user\n    content: [{ type: image, url: x }]\n',
    );
    assert.deepEqual((draft as PromptDraft).messages, [
      { role: 'user', content: [{ type: 'image', url: '{{photo}}' }] },
      { role: 'user', content: [{ type: 'image', url: 'x' }] },
    ]);
  });

  it('reads parts of chats, and refuses others', () => {
    const convert = (content: unknown) => convertText({ path: 'chat.json', text: JSON.stringify([{ role: 'user', content }]) })[0];
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } };
    assert.deepEqual(convert([{ type: 'text', text: 'See {{x}}' }, image])?.draft?.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See {{x}}' },
          { type: 'image', data: 'AAAA', mediaType: 'image/png', detail: 'low' },
        ],
      },
    ]);
    const texts = [{ type: 'text', text: 'a' }];
    assert.deepEqual(convert(texts)?.draft?.messages, [{ role: 'user', content: 'a' }], 'texts alone are one text');
    for (const content of [[{ type: 'video' }], null, [{ ...image, cache: true }]]) {
      assert.match(summarize(convert(content)?.findings ?? []).join(), /Neither text nor parts/, JSON.stringify(content));
    }
  });

  it('a file that no config names is a prompt if it is a text or a chat, and not if it is other data', () => {
    const namesIn = (path: string, text: string) => convertText({ path, text }).map(({ name }) => name);
    const chat = '[{"role": "user", "content": "Hello {{name}}"}]';
    assert.deepEqual(namesIn('hello.txt', 'Hello'), ['hello']);
    assert.deepEqual(namesIn('hello.md', '{"a": 1}'), ['hello'], 'a text may look like data');
    assert.deepEqual(namesIn('chat.json', chat), ['chat']);
    assert.deepEqual(namesIn('chat.yaml', '- role: user\n  content: Hello\n'), ['chat']);
    assert.deepEqual(namesIn('loop.json', '[{% for x in y %}{{ x }}{% endfor %}]'), ['loop'], 'it becomes JSON when it is rendered');
    assert.deepEqual(namesIn('chats.jsonl', `${chat}\n{"id": 1}\n`), ['chats-1']);
    for (const text of ['{"url": "https://prompts.example.com"}', '[]', '[1]']) assert.deepEqual(namesIn('settings.json', text), []);
    assert.deepEqual(namesIn('settings.yaml', 'url: https://prompts.example.com\n'), []);
  });

  it('reads what the dashboard has exported, without its labels', async () => {
    const item = {
      name: 'a/b',
      type: 'text',
      description: 'd',
      tags: ['t'],
      template: '{{#x}}{{/x}}',
      syntax: 'mustache',
      variables: [{ name: 'x', type: 'list', default: [] }],
      tools: [{ name: 'find' }],
      output: { schema: { type: 'object' }, strict: true },
      config: [1],
      labels: ['production'],
    };
    const listed = [
      { ...item.variables[0], required: false, kind: 'list', items: { kind: 'text' } },
      { name: 'y', required: true, kind: 'text' },
      { name: 'z', required: false, type: 'text', inherited: true },
    ];
    const exported = { ...item, variables: listed };
    const { prompts } = await convertFiles([{ path: 'prompts.json', text: JSON.stringify({ items: [exported] }, null, 2) }]);
    const { type: _type, labels: _labels, ...draft } = item;
    assert.deepEqual(
      prompts.map((prompt) => prompt.draft),
      [draft],
    );
    assert.deepEqual(summarize(prompts[0]?.findings ?? []), ['note 49 labels: production: Choose labels when you import']);
  });
});
