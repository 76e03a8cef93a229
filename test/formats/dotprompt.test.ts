import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Conversion } from '../../src/formats/draft-types.ts';
import { convertExamples, convertOne, promptNamed, summarize } from './support.ts';

describe('dotprompt files', () => {
  let conversion: Conversion;
  before(async () => {
    conversion = await convertExamples('dotprompt');
  });

  it('keeps roles, history, model, parameters, the schemas of input and output, and says what it leaves out', () => {
    const { draft, findings } = promptNamed(conversion, 'support/reply');
    assert.deepEqual(draft, {
      name: 'support/reply',
      description: 'Answers a support mail',
      syntax: 'liquid',
      messages: [
        { role: 'system', content: 'You answer mails of {{customer}} in a {{tone}} tone.\nKeep to the facts.' },
        { placeholder: 'history' },
        { role: 'user', content: '{{question}}' },
      ],
      config: {
        model: 'googleai/gemini-2.5-flash',
        temperature: 0.4,
        top_p: 0.9,
        max_tokens: 800,
        stop: ['END'],
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'output',
            schema: {
              type: 'object',
              properties: { reply: { type: 'string', description: 'the mail' }, escalate: { type: 'boolean' } },
              required: ['reply'],
              additionalProperties: false,
            },
          },
        },
        variables: {
          customer: { type: 'string', description: 'the name of the customer' },
          tone: { enum: ['formal', 'warm'], description: 'how to write', optional: true, default: 'warm' },
          orders: {
            type: 'array',
            description: 'recent orders',
            items: {
              type: 'object',
              properties: { id: { type: 'string' }, total: { type: 'number', description: 'in euros' } },
              required: ['id', 'total'],
              additionalProperties: false,
            },
          },
        },
      },
    });
    assert.deepEqual(summarize(findings), [
      'note 8 config.topP: Saved as top_p',
      'note 9 config.maxOutputTokens: Saved as max_tokens',
      'note 10 config.stopSequences: Saved as stop',
      'note 19 input.default.tone: Kept in config.variables; callers must send the value',
      'warning 25 tools: Tools that a program defines; skipped',
    ]);
  });

  it('imports a file without roles or front matter as text, and a variant as a separate prompt', () => {
    assert.deepEqual(promptNamed(conversion, 'plain').draft, {
      name: 'plain',
      syntax: 'liquid',
      template: 'Translate {{text}} to {{language}}.',
      config: {},
    });
    assert.equal(promptNamed(conversion, 'greeting').draft?.template, 'Greet {{ guest.name }} in one sentence.');
    assert.equal(promptNamed(conversion, 'greeting.formal').draft?.name, 'greeting.formal');
  });

  it('keeps a template as mustache if only Liquid would render it differently', () => {
    const { draft } = promptNamed(conversion, 'greeting.formal');
    assert.equal(draft?.syntax, 'mustache');
    assert.equal(draft?.template, 'Greet {{ guest.name }} formally. {{! No jokes. }}\nSay "{% thanks %}" at the end.');
  });

  it('converts loops and json; refuses partials and media, each with its line', () => {
    const { draft, findings } = promptNamed(conversion, 'orders');
    assert.equal(draft, undefined);
    assert.deepEqual(summarize(findings), [
      'note 6 {{#each orders}}: Converted to {% for order in orders %}',
      'note 7 {{this.id}}: Converted to {{ order.id }}',
      'note 7 {{json this}}: Converted to {{ order | json }}',
      'note 8 {{/each}}: Converted to {% endfor %}',
      'error 10 {{media url=photo}}: Messages can only contain text; prompt not imported',
      'error 11 {{> signature}}: Liquid does not support Handlebars partials; prompt not imported',
    ]);
    assert.deepEqual(
      conversion.prompts.map(({ name }) => name).filter((name) => name.includes('signature')),
      [],
    );
    assert.match(summarize(conversion.findings).join(), /A partial is not a prompt/);
  });

  it('refuses each construct that would be rendered differently', async () => {
    const refused = ['{{../x}}', '{{@x}}', '{{x y}}', '{{#x}}a{{/x}}', '{{else}}', '{{x', '{{{{x}}}}', '{{role y}}'];
    for (const text of refused) assert.equal((await convertOne('a.prompt', `Say ${text}`)).draft, undefined, text);
    const kept = {
      '{{x-y}}': 'mustache',
      '{{{x}}}': 'mustache',
      '{{&x}}': 'mustache',
      '{{größe}}': 'mustache',
      '{{list.size}}': 'mustache',
      '{{ a.b }}': 'liquid',
    };
    for (const [text, syntax] of Object.entries(kept)) assert.equal((await convertOne('a.prompt', text)).draft?.syntax, syntax, text);
  });

  it('keeps line breaks of the text as they are, and no secret', async () => {
    const { draft, findings } = await convertOne('a.prompt', '---\r\nconfig:\r\n  apiKey: sk-1\r\n---\r\none\r\ntwo {{x}}\r\n');
    assert.deepEqual([draft?.template, draft?.config], ['one\r\ntwo {{x}}', {}]);
    assert.deepEqual(summarize(findings), ['warning 3 config.apiKey: May be a secret; skipped']);
  });
});
