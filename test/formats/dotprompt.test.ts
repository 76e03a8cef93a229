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
      },
      output: {
        schema: {
          type: 'object',
          properties: { reply: { type: 'string', description: 'the mail' }, escalate: { type: 'boolean' } },
          required: ['reply'],
          additionalProperties: false,
        },
      },
      variables: [
        { name: 'customer', type: 'text', description: 'the name of the customer' },
        { name: 'tone', type: 'enum', values: ['formal', 'warm'], description: 'how to write', default: 'warm' },
        { name: 'orders', type: 'list', description: 'recent orders' },
      ],
    });
    assert.deepEqual(summarize(findings), [
      'note - variables.orders: The fields and items of this value are inferred from the templates; their schema is skipped',
      'note 8 config.topP: Saved as top_p',
      'note 9 config.maxOutputTokens: Saved as max_tokens',
      'note 10 config.stopSequences: Saved as stop',
      'warning 25 tools: Tools that are defined in a program are not supported; skipped',
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

  it('converts loops and json; refuses partials, each with its line', () => {
    const { draft, findings } = promptNamed(conversion, 'orders');
    assert.equal(draft, undefined);
    assert.deepEqual(summarize(findings), [
      'note 6 {{#each orders}}: Converted to {% for order in orders %}',
      'note 7 {{this.id}}: Converted to {{ order.id }}',
      'note 7 {{json this}}: Converted to {{ order | json }}',
      'note 8 {{/each}}: Converted to {% endfor %}',
      'error 11 {{> signature}}: Liquid does not support Handlebars partials; prompt not imported',
    ]);
    assert.deepEqual(
      conversion.prompts.map(({ name }) => name).filter((name) => name.includes('signature')),
      [],
    );
    assert.match(summarize(conversion.findings).join(), /A partial is not a prompt/);
  });

  it('converts images and files to parts; refuses other media, and media in blocks', async () => {
    const { draft, findings } = await convertOne(
      'a.prompt',
      '{{role "system"}}Be exact.\n{{role "user"}}Compare\n{{media url=photo}}\nwith {{media url="https://a.example/b.png" contentType="image/png"}}.' +
        '{{media url=report.url contentType="application/pdf"}}{{history}}{{role "user"}}{{media url=photo}}',
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(draft?.messages, [
      { role: 'system', content: 'Be exact.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Compare' },
          { type: 'image', url: '{{photo}}' },
          { type: 'text', text: 'with' },
          { type: 'image', url: 'https://a.example/b.png' },
          { type: 'text', text: '.' },
          { type: 'file', url: '{{report.url}}' },
        ],
      },
      { placeholder: 'history' },
      { role: 'user', content: [{ type: 'image', url: '{{photo}}' }] },
    ]);
    const unroled = await convertOne('a.prompt', 'See {{media url=photo}}');
    assert.deepEqual(unroled.draft?.messages?.length, 1);
    for (const text of ['{{#if x}}{{media url=photo}}{{/if}}', '{{media url=voice contentType="audio/wav"}}', '{{media photo}}']) {
      const refused = await convertOne('a.prompt', text);
      assert.match(summarize(refused.findings).join(), /error 1 \{\{media .*: Liquid does not support media inside blocks/, text);
    }
  });

  it('declares variables and tools; what cannot be declared stays in the config, and is reported', async () => {
    const text = `---
input:
  schema:
    type: object
    properties:
      tone: { type: string, default: 5 }
      size: { type: integer, minimum: 1 }
      kind: { enum: [1, 2] }
      name: { type: string, description: Who }
  default: { size: 3, name: Ada }
toolDefs:
  - name: find
    description: Finds
    inputSchema: { id: string }
---
{{tone}} {{size}} {{kind}} {{name}}`;
    const { draft, findings } = await convertOne('a.prompt', text);
    assert.deepEqual(draft?.variables, [
      { name: 'tone', type: 'text', default: 5 },
      { name: 'name', type: 'text', description: 'Who', default: 'Ada' },
    ]);
    const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false };
    assert.deepEqual(draft.tools, [{ name: 'find', description: 'Finds', parameters }]);
    assert.deepEqual(draft.config, {
      variables: {
        size: { type: 'integer', minimum: 1, optional: true, default: 3 },
        kind: { enum: [1, 2], optional: true },
      },
    });
    assert.deepEqual(
      summarize(findings).filter((each) => each.includes('variables')),
      [
        'note - config.variables.size: Cannot be declared, so it is kept in the config; callers must send the value',
        'note - config.variables.kind: Cannot be declared, so it is kept in the config',
      ],
    );
    const tagged = await convertOne('a.prompt', '---\ntoolDefs: [{ name: find, description: "Finds {{x}}" }]\n---\nHi');
    assert.equal(tagged.draft?.tools, undefined);
    assert.match(JSON.stringify(tagged.draft?.config), /Finds \{\{x\}\}/);
    assert.match(summarize(tagged.findings).join(), /A description contains a tag/);
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
