import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findJsonExcess } from '../../src/platform/json-bounds.ts';

const bounds = { maxDepth: 3, maxValues: 8 };

describe('findJsonExcess', () => {
  it('allows JSON within the bounds, whatever its strings contain', () => {
    const deepText = JSON.stringify('[[[[{{{{,,,,,,,,,,"\\\\"\\');
    for (const text of ['', 'null', '[[[1]]]', '[1,2,3,4,5,6,7]', deepText, `[${deepText},${deepText}]`, '[[],[],[]]']) {
      assert.equal(findJsonExcess(text, bounds), undefined, text);
    }
  });

  it('finds deep nesting and many values, even in text that is not JSON', () => {
    for (const text of ['[[[[', '{"a":{"b":{"c":{', '[[[{"', ']]]][[[[[[[[']) assert.equal(findJsonExcess(text, bounds), 'maxDepth', text);
    for (const text of ['[1,2,3,4,5,6,7,8]', '{},{},{},{},{}', ',,,,,,,,', '[],'.repeat(100)]) {
      assert.equal(findJsonExcess(text, bounds), 'maxValues', text);
    }
  });
});
