import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyze } from '../../../src/domain/templates/template-jobs.ts';

function errorOf(text: string) {
  const result = analyze([{ path: '/template', text }], 'liquid');
  return result.ok ? undefined : result.errors[0];
}

describe('Errors of templates', () => {
  it('name the Liquid form of an include', () => {
    for (const [text, name] of [
      ['Hi {{> tone }}', 'tone'],
      ['Hi {{>shared/tone}}', 'shared/tone'],
      ['Hi {{- > "tone" -}}', 'tone'],
      ['Hi {{>}}', 'name'],
    ] as const) {
      assert.match(errorOf(`first\n${text}`)?.message ?? '', new RegExp(`Include a prompt with {% render '${name}' %}$`), text);
      assert.equal(errorOf(`first\n${text}`)?.line, 2);
    }
  });

  it('name the Liquid form of a section', () => {
    for (const text of ['{{#if vip}}x{{/if}}', '{{#each items}}x{{/each}}', '{{^vip}}x', 'x{{/vip}}']) {
      assert.match(errorOf(text)?.message ?? '', /is not Liquid\. Write {% if … %}…{% endif %} for a condition or {% for /, text);
    }
  });

  it('are the errors of Liquid for everything else', () => {
    assert.equal(errorOf('{{ a > }}')?.message, '">" has no value');
    assert.equal(errorOf('{{ a b }}')?.message, 'unexpected "b"');
    assert.match(errorOf('{{ a }} {% if %}')?.message ?? '', /^(?!.*not Liquid)/);
    assert.equal(errorOf('{% raw %}{{> tone }}{% endraw %}'), undefined);
  });
});
