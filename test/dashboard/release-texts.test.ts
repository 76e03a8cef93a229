import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeReleaseChange, findReleaseVerb } from '../../dashboard/src/releases/events.ts';
import { describeMargin } from '../../dashboard/src/releases/metrics.ts';
import type { GuardResult } from '../../dashboard/src/releases/release.ts';
import { describeArms, formatWeight } from '../../dashboard/src/releases/release.ts';
import { describeBounds, describeResult } from '../../dashboard/src/releases/results.ts';
import { describeDifference } from '../../src/domain/releases/guard-texts.ts';

const arms = [
  { version: 4, weight: 500 },
  { version: 5, weight: 1 },
];

describe('texts about releases', () => {
  it('names arms with their shares', () => {
    assert.equal(describeArms(arms), 'v4 to 5%, v5 to 0.01%');
    assert.deepEqual([10, 1250, 10_000].map(formatWeight), ['0.1%', '12.5%', '100%']);
  });

  it('describes what happened to a release', () => {
    const release = { arms };
    assert.equal(findReleaseVerb('release_rolled_back'), 'rolled_back');
    assert.equal(findReleaseVerb('release.widened'), 'widened');
    assert.equal(findReleaseVerb('label.moved'), undefined);
    assert.equal(findReleaseVerb('release_constructor'), undefined);
    assert.equal(
      describeReleaseChange('started', { label: 'production', release }),
      'started a release on production: v4 to 5%, v5 to 0.01%',
    );
    assert.equal(
      describeReleaseChange('paused', { label: 'production', release: { arms, cause: 'person' } }),
      'paused the release on production',
    );
    assert.equal(
      describeReleaseChange('rolled_back', { label: 'production', release: { arms, cause: 'regression' } }),
      'rolled back the release on production: an arm was worse than a guard allows',
    );
  });

  it('says how much worse an arm may be, in the unit of the metric', () => {
    assert.equal(describeMargin({ metric: 'errorRate', margin: 0.02, better: 'lower' }), 'up to 2 points more');
    assert.equal(describeMargin({ metric: 'latency', margin: 0.1, better: 'lower' }), 'up to 10% slower');
    assert.equal(describeMargin({ metric: 'cost', margin: 0.1, better: 'lower' }), 'up to 10% more');
    assert.equal(describeMargin({ metric: 'score:helpful', margin: 0.05, better: 'higher' }), 'up to 0.05 lower');
    assert.equal(describeMargin({ metric: 'score:toxicity', margin: 0.05, better: 'lower' }), 'up to 0.05 higher');
  });

  it('gives the numbers of a guard, and says when they are unknown', () => {
    const result: GuardResult = {
      ...{ metric: 'errorRate', margin: 0.02, better: 'lower', arm: 'v4', verdict: 'worse' },
      ...{ control: 0.011, value: 0.092, difference: { value: 0.081, low: 0.03, high: 0.13 } },
    };
    assert.equal(
      describeResult(result),
      'Error rate of v4: 9.2%, control: 1.1%. Difference: +3 points to +13 points. Allowed: up to 2 points more.',
    );
    const noise = { value: 1.23456e-7, low: -0.000333, high: 0.0123456 };
    assert.equal(
      describeBounds({ ...result, difference: noise }),
      'Difference: −0.03 points to +1.23 points. Allowed: up to 2 points more.',
    );
    const score = { ...result, metric: 'score:helpful', better: 'higher' as const, difference: { value: 0, low: -1e-9, high: 0.00123 } };
    assert.equal(describeBounds(score), 'Difference: ±0 to +0.0012. Allowed: up to 0.02 lower.');
    assert.equal(
      describeDifference({ ...result, difference: noise }),
      'the difference from the control is between -0.03 and 1.2 percentage points, and up to 2 percentage points more is allowed',
    );
    assert.equal(describeDifference(score), 'the difference from the control is between 0 and 0.0012, and up to 0.02 less is allowed');
    const unknown = { ...result, value: null, difference: null };
    assert.equal(describeResult(unknown), 'Error rate of v4: unknown, control: 1.1%. Allowed: up to 2 points more.');
  });
});
