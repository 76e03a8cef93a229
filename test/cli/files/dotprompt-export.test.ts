import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDotprompt } from '../../../src/cli/export/dotprompt.ts';
import type { PromptContent } from '../../../src/formats/prompt-fields.ts';
import { convertOne } from '../../formats/support.ts';

const common = { description: '', tags: [], config: { model: 'm' } };

describe('Exports to dotprompt', () => {
  it('have variables, tools, the output schema and images, and can be imported without a change', async () => {
    const content: PromptContent = {
      ...common,
      messages: [
        { role: 'system', content: 'Be exact, {{ tone }}.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', url: '{{photo}}' },
            { type: 'image', url: 'https://a.example/b.png' },
          ],
        },
      ],
      variables: [
        { name: 'days', type: 'number', description: 'How long', default: 3 },
        { name: 'notes', type: 'list' },
        { name: 'photo', type: 'text' },
        { name: 'tone', type: 'enum', values: ['warm', 'dry'], default: 'dry' },
      ],
      tools: [{ name: 'find', description: 'Finds', parameters: { type: 'object', properties: { id: { type: 'string' } } } }],
      output: { schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    };
    const file = formatDotprompt('a', content);
    assert.ok('text' in file);
    assert.deepEqual(file.notes, []);
    const { draft, findings } = await convertOne('a.prompt', file.text);
    assert.deepEqual(findings, []);
    assert.deepEqual(draft, {
      name: 'a',
      syntax: 'liquid',
      messages: content.messages,
      config: content.config,
      variables: content.variables,
      tools: content.tools,
      output: content.output,
    });
  });

  it('say what dotprompt does not support, and refuse prompts that it cannot express', () => {
    const file = formatDotprompt('a', {
      ...common,
      template: '{{ photo }}',
      variables: [{ name: 'photo', type: 'image', example: 'https://a.example/b.png' }],
      tools: [{ name: 'find', description: 'Finds {{ what }}', strict: true }],
      output: { schema: { type: 'object' }, name: 'answer' },
    });
    assert.deepEqual('notes' in file && file.notes, [
      'dotprompt does not support examples of variables; skipped',
      'dotprompt does not support variables of the type image; skipped',
      'dotprompt does not support the name of the output schema; skipped',
      'dotprompt does not support "strict"; skipped',
      'dotprompt does not render the tags in descriptions of tools and schemas',
    ]);
    const refused = [
      [{ type: 'image' as const, url: '{{ photo | upcase }}' }, /an image from the template/],
      [{ type: 'image' as const, url: 'a"b' }, /an image from the template/],
      [{ type: 'file' as const, url: '{{ report }}' }, /a file with a URL/],
      [{ type: 'text' as const, text: '{% if x %}{% endif %}' }, /the tag/],
    ] as const;
    for (const [part, message] of refused) {
      const result = formatDotprompt('a', { ...common, messages: [{ role: 'user', content: [part] }] });
      assert.match('problem' in result ? result.problem : '', message);
    }
  });
});
