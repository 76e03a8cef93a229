import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeyCounters } from '../../../src/domain/statistics/key-counters.ts';
import { createSketch, mergeSketch } from '../../../src/platform/key-sketch.ts';
import type { PromptKeys } from '../../../src/store/statistics/prompt-keys.ts';

const day = '2026-03-01';
const limits = { promptsWithKeys: 3, sketchesPerWrite: 2 };
const keyOf = (promptId: string, key: string, workspaceId = 'u_1') => ({ workspaceId, promptId, key });

/** Adds up the sketches by prompt and day, as the store does, and returns their numbers of keys. */
function addUp(taken: PromptKeys[][]): Record<string, number> {
  const sums = new Map<string, ReturnType<typeof createSketch>>();
  for (const { accountId, promptId, day, sketch } of taken.flat()) {
    const name = `${accountId} ${promptId} ${day}`;
    const sum = sums.get(name) ?? createSketch();
    mergeSketch(sum, sketch);
    sums.set(name, sum);
  }
  return Object.fromEntries([...sums].map(([name, { size }]) => [name, size]));
}

describe('counting keys in memory', () => {
  it('writes a sketch again only if a key is new', () => {
    const counters = createKeyCounters(limits);
    for (const key of ['a', 'b', 'a']) counters.count(keyOf('p_1', key), day);
    assert.equal(counters.size, 1);
    const first = counters.take();
    for (const key of ['a', 'b']) counters.count(keyOf('p_1', key), day);
    assert.deepEqual([counters.size, counters.take()], [0, []]);
    counters.count(keyOf('p_1', 'c'), day);
    assert.deepEqual(addUp([first]), { 'u_1 p_1 2026-03-01': 2 });
    assert.deepEqual(addUp([first, counters.take()]), { 'u_1 p_1 2026-03-01': 3 });
  });

  it('keeps prompts, workspaces and days apart, and takes a limited number at a time', () => {
    const counters = createKeyCounters(limits);
    counters.count(keyOf('p_1', 'a'), day);
    counters.count(keyOf('p_1', 'a', 'u_2'), day);
    counters.count(keyOf('p_1', 'a'), '2026-03-02');
    const taken = [counters.take(), counters.take(), counters.take()];
    assert.deepEqual(
      taken.map(({ length }) => length),
      [2, 1, 0],
    );
    assert.deepEqual(addUp(taken), { 'u_1 p_1 2026-03-01': 1, 'u_1 p_1 2026-03-02': 1, 'u_2 p_1 2026-03-01': 1 });
  });

  it('loses no key of a prompt that waits when it forgets what is written', () => {
    const counters = createKeyCounters(limits);
    for (const prompt of ['p_1', 'p_2', 'p_3']) counters.count(keyOf(prompt, 'a'), day);
    counters.take();
    // `p_3` is not written yet. The next two prompts need space, so the counters forget the prompts that are written.
    for (const prompt of ['p_4', 'p_5']) counters.count(keyOf(prompt, 'a'), day);
    for (const prompt of ['p_3', 'p_4', 'p_5']) counters.count(keyOf(prompt, 'b'), day);
    const keys = addUp([counters.take(), counters.take()]);
    assert.deepEqual(keys, { 'u_1 p_3 2026-03-01': 2, 'u_1 p_4 2026-03-01': 2, 'u_1 p_5 2026-03-01': 2 });
  });

  it('counts no more prompts than its limit until they are written, and then continues', () => {
    const counters = createKeyCounters(limits);
    for (const prompt of ['p_1', 'p_2', 'p_3', 'p_4']) counters.count(keyOf(prompt, 'a'), day);
    assert.equal(counters.size, 3);
    assert.deepEqual(Object.keys(addUp([counters.take(), counters.take()])).length, 3);
    counters.count(keyOf('p_4', 'a'), day);
    assert.deepEqual(addUp([counters.take()]), { 'u_1 p_4 2026-03-01': 1 });
  });
});
