import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPlace } from '../../dashboard/src/editor/code/completion-place.ts';
import { liquidBlocks, liquidFilters, liquidTags } from '../../dashboard/src/editor/code/liquid-words.ts';
import { liquid } from '../../src/domain/templates/liquid.ts';

describe('completion in the editor', () => {
  it('offers exactly the tags and filters that the service knows', () => {
    assert.deepEqual(Object.keys(liquidTags).sort(), Object.keys(liquid.tags).sort());
    assert.deepEqual([...liquidFilters].sort(), Object.keys(liquid.filters).sort());
  });

  it('closes exactly the tags that are blocks', () => {
    const values: Record<string, string> = { capture: 'a', case: 'a', for: 'a in b', if: 'a', tablerow: 'a in b', unless: 'a' };
    for (const name of Object.keys(liquidTags)) {
      const opening = `{% ${name} ${values[name] ?? ''} %}`;
      const parses = () => liquid.parse(`${opening}{% end${name} %}`);
      if (liquidBlocks.has(name)) assert.doesNotThrow(parses, name);
      else assert.throws(parses, name);
    }
  });

  it('knows what is completed at the cursor', () => {
    const places: [string, ReturnType<typeof findPlace>][] = [
      ['Hello cust', undefined],
      ['{{ customer }} cust', undefined],
      ['{{ cust', { kind: 'variable', text: 'cust' }],
      ['{{', { kind: 'variable', text: '' }],
      ['{{- customer.address.ci', { kind: 'variable', text: 'ci', object: 'customer.address' }],
      ['{{ "a" | up', { kind: 'filter', text: 'up' }],
      ['{{ name | append: suf', { kind: 'variable', text: 'suf' }],
      ['{{ name | append: "suf', undefined],
      ['{% ', { kind: 'tag', text: '' }],
      ['{%- en', { kind: 'tag', text: 'en' }],
      ['{% if a and b', { kind: 'variable', text: 'b' }],
      ['{% for i', undefined],
      ['{% for item in it', { kind: 'variable', text: 'it' }],
      ['{% assign to', undefined],
      ['{% assign total = pri', { kind: 'variable', text: 'pri' }],
      ['{% render sha', undefined],
      ["{% render 'shared/to", { kind: 'prompt', text: 'shared/to', quote: "'" }],
      [`{% render "it's`, { kind: 'prompt', text: "it's", quote: '"' }],
      ["{% render 'a/b', mood: ca", { kind: 'variable', text: 'ca' }],
      ["{% render 'a/b', mood: 'ca", undefined],
      [`{% render "a/b", label: 'st`, { kind: 'label', text: 'st', quote: "'", prompt: 'a/b' }],
    ];
    for (const [before, place] of places) assert.deepEqual(findPlace(before), place, before);
  });
});
