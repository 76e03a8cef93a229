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
      },
      output: { schema: { type: 'object', properties: { plan: { type: 'array', items: { type: 'string' } } }, required: ['plan'] } },
      tools: [
        {
          name: 'find_trains',
          description: 'Finds trains',
          parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
        },
      ],
      variables: [
        { name: 'city', type: 'text', description: 'where to go' },
        { name: 'days', type: 'number', default: 3 },
      ],
    });
    assert.deepEqual(summarize(findings), [
      'warning 5 metadata.authors: Not supported; skipped',
      'warning 7 metadata.version: Not supported; skipped',
      'warning 12 model.connection: Connections are set up in the settings; skipped',
      'note 17 model.options.maxOutputTokens: Saved as max_tokens',
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
    assert.deepEqual(draft?.config, { model: 'gpt-35-turbo', max_tokens: 300, temperature: 0.2 });
    assert.deepEqual(draft?.variables, [
      { name: 'firstName', type: 'text', description: 'of the customer', example: 'Mia' },
      { name: 'question', type: 'text', default: 'Which tent is waterproof?' },
    ]);
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

  it('refuses what is rendered differently', async () => {
    for (const text of ['{{ x() }}', '{{ none }}', '{{ order.items }}', '{#- trimmed -#}', '{{ 1 + 1 }}', '{{ x']) {
      assert.equal((await convertOne('a.prompty', text)).draft, undefined, text);
    }
    assert.deepEqual((await convertOne('a.prompty', 'user:\n{"q": {{q}}}')).draft?.syntax, 'mustache');
  });

  it('converts images to parts; refuses other media, and images in blocks', async () => {
    const convert = (kind: string, text: string) =>
      convertOne('a.prompty', `---\ninputs:\n  - name: photo\n    kind: ${kind}\n---\nuser:\n${text}\n`);
    const { draft, findings } = await convert('image', 'Describe {{photo}}\n\n{{ question }}\nassistant:\nYes');
    assert.deepEqual(findings, []);
    assert.deepEqual(draft?.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Describe' },
          { type: 'image', url: '{{photo}}' },
          { type: 'text', text: '{{ question }}' },
        ],
      },
      { role: 'assistant', content: 'Yes' },
    ]);
    assert.deepEqual(draft?.variables, [{ name: 'photo', type: 'image' }]);
    assert.deepEqual(summarize((await convert('image', '{% if photo %}{{photo}}{% endif %}')).findings), [
      'error 7 {{photo}}: An image inside a block cannot be imported; prompt not imported',
      'note 7 {% if photo %}: Converted to {% if photo != blank %}',
    ]);
    assert.deepEqual(summarize((await convert('audio', 'Hear {{photo}}')).findings), [
      'error 7 {{photo}}: Only images can be imported, not other media; prompt not imported',
    ]);
  });
});
