import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreMatch } from '../../dashboard/src/shell/fuzzy.ts';

const best = (typed: string, ...texts: string[]) =>
  texts
    .flatMap((text) => {
      const score = scoreMatch(text, typed);
      return score === undefined ? [] : [{ text, score }];
    })
    .sort((a, b) => a.score - b.score)
    .map(({ text }) => text);

describe('the command palette', () => {
  it('finds a text with letters missing, too many or in the wrong place', () => {
    for (const typed of ['trige', 'traige', 'triaage', 'support trige', 'suptri', 'TRIAGE']) {
      assert.deepEqual(best(typed, 'support/triage'), ['support/triage'], typed);
    }
  });

  it('does not find unrelated text', () => {
    for (const typed of ['xyz', 'trx', 'egairt', 'triage mail']) assert.deepEqual(best(typed, 'support/triage'), [], typed);
    assert.deepEqual(best('sign', 'settings of something large and nondescript'), []);
  });

  it('prefers the start, then whole parts, then letters in order', () => {
    assert.deepEqual(best('dep', 'x/independent', 'decapod', 'a/deploy', 'Deploy'), ['Deploy', 'a/deploy', 'x/independent', 'decapod']);
  });
});
