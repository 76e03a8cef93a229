import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Conversion } from '../../src/formats/draft-types.ts';
import { convertExamples, convertOne, promptNamed, summarize } from './support.ts';

describe('Prompty files', () => {
  let conversion: Conversion;
  before(async () => {
    conversion = await convertExamples('prompty');
  });

  it('keeps roles, threads, tags, model, options, inputs, outputs and functions, and says what it leaves out', () => {
    const { draft, findings } = promptNamed(conversion, 'travel guide');
    assert.deepEqual(draft, {
      name: 'travel guide',
      description: 'Plans a trip',
      tags: ['travel', 'planning'],
      syntax: 'liquid',
      messages: [
        { role: 'system', content: 'You plan trips of {{days}} days.' },
        { placeholder: 'talk' },
        { role: 'user', content: 'What should I see in {{ city }}?' },
      ],
      config: {
        model: 'gpt-4o-mini',
        temperature: 0.3,
        max_tokens: 1200,
        logit_bias: { 50256: -100 },
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'output',
            schema: { type: 'object', properties: { plan: { type: 'array', items: { type: 'string' } } }, required: ['plan'] },
          },
        },
        tools: [
          {
            type: 'function',
            function: {
              name: 'find_trains',
              description: 'Finds trains',
              parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
            },
          },
        ],
        variables: { city: { type: 'string', description: 'where to go' }, days: { type: 'integer', default: 3 } },
      },
    });
    assert.deepEqual(summarize(findings), [
      'warning 5 metadata.authors: Not supported; skipped',
      'warning 7 metadata.version: Not supported; skipped',
      'warning 12 model.connection: Connections are set up in the settings; skipped',
      'note 17 model.options.maxOutputTokens: Saved as max_tokens',
      'note 25 inputs.days: The default is kept in config.variables; callers must send the value',
      'warning 44 tools.1: Only functions are supported; skipped',
      'note 54 {# keep it short #}: Comment; skipped',
      'warning 57 user[name="visitor"]:: Message attributes are not supported; skipped',
    ]);
    assert.doesNotMatch(JSON.stringify(draft), /OPENAI_API_KEY/);
  });

  it('reads version 1, and a file without front matter', () => {
    const { draft } = promptNamed(conversion, 'First version');
    assert.deepEqual(
      [draft?.tags, draft?.messages],
      [
        ['legacy'],
        [
          { role: 'system', content: 'You help {{firstName}} to choose a tent.' },
          { role: 'user', content: '{{question}}' },
        ],
      ],
    );
    assert.deepEqual(draft?.config, {
      model: 'gpt-35-turbo',
      max_tokens: 300,
      temperature: 0.2,
      variables: {
        firstName: { type: 'string', description: 'of the customer', example: 'Mia' },
        question: { type: 'string', default: 'Which tent is waterproof?' },
      },
    });
    assert.deepEqual(promptNamed(conversion, 'bare').draft?.messages, [{ role: 'system', content: 'You are a pirate.' }]);
  });

  it('converts loops and filters of Jinja, and keeps mustache as it is', () => {
    assert.deepEqual(summarize(promptNamed(conversion, 'loop').findings), [
      'note 7 {{ item.title | upper }}: Converted to {{ item.title | upcase }}',
    ]);
    const { draft } = promptNamed(conversion, 'sections');
    assert.deepEqual(
      [draft?.syntax, draft?.messages],
      [
        'mustache',
        [
          { role: 'system', content: '{{#rules}}\n- {{.}}\n{{/rules}}' },
          { role: 'user', content: '{{{question}}}' },
        ],
      ],
    );
  });

  it('refuses images and constructs that would be rendered differently', async () => {
    for (const text of ['{{ x() }}', '{{ none }}', '{{ order.items }}', '{#- trimmed -#}', '{{ 1 + 1 }}', '{{ x']) {
      assert.equal((await convertOne('a.prompty', text)).draft, undefined, text);
    }
    const image = await convertOne('a.prompty', '---\ninputs:\n  - name: photo\n    kind: image\n---\nuser:\nDescribe {{photo}}\n');
    assert.deepEqual(summarize(image.findings), ['error 7 {{photo}}: Messages can only contain text; prompt not imported']);
    assert.deepEqual((await convertOne('a.prompty', 'user:\n{"q": {{q}}}')).draft?.syntax, 'mustache');
  });
});
