import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BatchItem, splitBatches } from '../../src/formats/import-batches.ts';

const namesOf = (items: BatchItem[]) => splitBatches(items).flatMap((batch) => batch.map(({ name }) => name));

describe('splitBatches', () => {
  it('puts included prompts before the prompts that include them, across all batches, and otherwise keeps the order', () => {
    const items: BatchItem[] = [
      { name: 'chat', messages: [{ role: 'user', content: "{%- render 'a/deep', mood: 'calm' -%}" }, { placeholder: 'history' }] },
      { name: 'port', template: '@@@langfusePrompt:name=tone|label=production@@@', syntax: 'mustache' },
      { name: 'a/deep', template: '{% render "tone" %}' },
      ...Array.from({ length: 60 }, (_, index) => ({ name: `p${index}`, template: 'x' })),
      { name: 'tone', template: 'Kind' },
    ];
    const plain = items.slice(3, -1).map(({ name }) => name);
    assert.deepEqual(namesOf(items), ['tone', 'a/deep', 'chat', 'port', ...plain]);
    assert.deepEqual(
      splitBatches(items).map(({ length }) => length),
      [50, 14],
    );
  });

  it('sends prompts that include each other, or prompts that are not among them', () => {
    const items = [
      { name: 'a', template: "{% render 'b' %}{% render 'gone' %}" },
      { name: 'b', template: "{% render 'a' %}{% render 'b' %}" },
    ];
    assert.deepEqual(namesOf(items), ['b', 'a']);
    const deep = Array.from({ length: 20_000 }, (_, index) => ({ name: `p${index}`, template: `{% render 'p${index + 1}' %}` }));
    assert.equal(namesOf(deep)[0], 'p19999');
  });
});
