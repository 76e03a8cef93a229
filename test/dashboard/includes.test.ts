import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { includesOf, renameInclude } from '../../dashboard/src/prompts/includes.ts';
import { planCopies } from '../../dashboard/src/prompts/plan-copies.ts';
import { runJob } from '../../src/domain/templates/template-jobs.ts';

const templates = [
  "{% render 'shared/tone' %}",
  '{%- render "it\'s", label: "staging", topic: x -%} and {% render "it\'s" %}',
  "{%render'a'%}{% render 'a', topic: 'b' , label:'latest' %}",
  "{% liquid\n  assign x = 1\n  render 'inside', label: 'staging'\n  render \"second\"\n%}",
  "{% raw %}{% render 'raw' %}{% endraw %}{% comment %}{% render 'comment' %}{% endcomment %}{% render 'real' %}",
  "render 'text' {{ render }} {% if x %}{% render 'e\u0301' %}{% endif %}",
  '{% assign rendered = 1 %}nothing',
];

describe('the includes that the dashboard shows', () => {
  it('are the same as those that the server finds', () => {
    for (const template of templates) {
      const result = runJob({ kind: 'analyze', sources: [{ path: '/template', text: template }] });
      assert.ok(result.ok, template);
      const expected = result.analysis.partials.map(({ name, label }) => `${name} ${label}`);
      const shown = includesOf([template]).map(({ name, label }) => `${name} ${label}`);
      assert.deepEqual(shown.sort(), [...new Set(expected)].sort(), template);
    }
  });

  it('are renamed in place, without other changes', () => {
    for (const template of templates) {
      for (const { name } of includesOf([template])) {
        const renamed = renameInclude(template, { from: name, to: "new/it's" });
        assert.deepEqual(
          includesOf([renamed]).map((include) => include.name),
          includesOf([template]).map((include) => (include.name === name ? "new/it's" : include.name)),
        );
      }
      assert.equal(renameInclude(template, { from: 'shared', to: 'x' }), template);
    }
    assert.equal(
      renameInclude("{% raw %}{% render 'a' %}{% endraw %} 'a' {% render 'a', b: 'a' %}", { from: 'a', to: 'c' }),
      "{% raw %}{% render 'a' %}{% endraw %} 'a' {% render 'c', b: 'a' %}",
    );
  });

  it('are written as Langfuse’s tags in mustache', () => {
    const text = '@@@langfusePrompt:name=a|label=x@@@ @@@langfusePrompt:name=b|version=3@@@ @@@langfusePrompt:name=a@@@ {% render "c" %}';
    const includes = [
      { name: 'a', label: 'x' },
      { name: 'b', label: '@3' },
    ];
    assert.deepEqual(includesOf([text], 'mustache'), includes);
    assert.equal(renameInclude(text, { from: 'b', to: 'new b' }, 'mustache'), text.replace('name=b', 'name=new b'));
  });
});

describe('the versions that are saved again after a rename', () => {
  const includes = [
    { label: 'production', version: 5, labels: ['latest', 'staging'] },
    { label: 'staging', version: 5, labels: ['latest', 'staging'] },
    { label: 'production', version: 3, labels: ['production'] },
  ];

  it('without labels: only the latest', () => {
    assert.deepEqual(planCopies({ includes }, 5, new Set()), [{ version: 5, labels: [] }]);
    assert.deepEqual(planCopies({ includes: includes.slice(2) }, 5, new Set()), []);
  });

  it('with labels: each with the labels that pointed at it, and latest stays the newest', () => {
    assert.deepEqual(planCopies({ includes }, 5, new Set(['production', 'staging'])), [
      { version: 3, labels: ['production'] },
      { version: 5, labels: ['staging'] },
    ]);
    assert.deepEqual(planCopies({ includes: includes.slice(2) }, 5, new Set(['production'])), [
      { version: 3, labels: ['production'] },
      { version: 5, labels: [] },
    ]);
  });
});
