import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareCosts, compareDurations, compareErrorRates, compareScores } from '../../dashboard/src/results/compare.ts';
import { formatMean, formatRate, type Score, type Sums, sharesOf } from '../../dashboard/src/results/format.ts';
import { findScore, type ListedScore, listScores } from '../../dashboard/src/results/scores.ts';

const sums = (given: Partial<Sums>): Sums => ({
  calls: 1000,
  errors: 0,
  errorRate: null,
  durationMs: { p50: null, p95: null },
  firstChunkMs: { p50: null, p95: null },
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  costPerCall: null,
  unpriced: 0,
  ...given,
});
const score = (given: Partial<Score>): Score => ({
  name: 'helpful',
  kind: 'boolean',
  count: 40,
  mean: 0.9,
  low: 0.8,
  high: 0.95,
  categories: [],
  ...given,
});
describe('scores of versions', () => {
  const versions = [
    { scores: [score({ count: 5 }), score({ kind: 'number', mean: 0.5, count: 1 }), score({ name: 'stars', kind: 'number', count: 2 })] },
    { scores: [score({ kind: 'number', mean: 0.7, count: 9 })] },
  ];

  it('lists each type of a score separately, the most frequent ones first', () => {
    assert.deepEqual(
      listScores(versions).map(({ name, kind, type }) => [name, kind, type]),
      [
        ['helpful', 'number', 'number'],
        ['helpful', 'boolean', 'true or false'],
        ['stars', 'number', undefined],
      ],
    );
  });

  it('never shows a value of one type in the place of another', () => {
    const [numbers, booleans] = listScores(versions);
    assert.ok(numbers && booleans);
    const means = (listed: ListedScore) => versions.map((version) => findScore(version, listed)?.mean);
    assert.deepEqual(means(numbers), [0.5, 0.7]);
    assert.deepEqual(means(booleans), [0.9, undefined]);
  });
});

const rate = (value: number, low: number, high: number) => ({ value, low, high });

describe('the comparison of two versions', () => {
  it('says that errors are more or fewer only if the intervals do not overlap', () => {
    const texts = (before: ReturnType<typeof rate>, now: ReturnType<typeof rate>) => {
      const { text, tone } = compareErrorRates(before, now) ?? assert.fail();
      return `${text}, ${tone}`;
    };
    assert.equal(texts(rate(0.005, 0.002, 0.01), rate(0.021, 0.012, 0.034)), 'more, worse');
    assert.equal(texts(rate(0.021, 0.012, 0.034), rate(0.005, 0.002, 0.01)), 'fewer, better');
    assert.equal(texts(rate(0.005, 0.002, 0.012), rate(0.021, 0.012, 0.034)), 'no clear difference, open');
    assert.equal(texts(rate(0, 0, 0.5), rate(1, 0.2, 1)), 'no clear difference, open');
    assert.equal(compareErrorRates(null, rate(0, 0, 1)), undefined);
  });

  it('does not say whether a higher score is better, and nothing about categories and single values', () => {
    assert.equal(compareScores(score({ mean: 0.2, low: 0.1, high: 0.3 }), score({}))?.text, 'higher');
    assert.equal(compareScores(score({}), score({ mean: 0.2, low: 0.1, high: 0.3 }))?.tone, 'changed');
    assert.equal(compareScores(score({}), score({ mean: 0.5, low: 0.3, high: 0.85 }))?.text, 'no clear difference');
    for (const other of [undefined, score({ low: null, high: null }), score({ kind: 'number' }), score({ kind: 'category', mean: null })]) {
      assert.equal(compareScores(score({}), other), undefined);
    }
  });

  it('says how much slower or faster only with enough calls, and beyond the accuracy of percentiles', () => {
    const text = (before: number | null, now: number | null, calls = 100, percentile: 'p50' | 'p95' = 'p95') =>
      compareDurations({ calls: 500, errors: 0, value: before }, { calls, errors: 0, value: now }, percentile)?.text;
    assert.equal(text(1000, 2000), '100% slower');
    assert.equal(text(2000, 1000), '50% faster');
    assert.equal(text(1000, 1150), 'about the same');
    assert.equal(text(1000, 2000, 99), 'too few calls to tell');
    assert.equal(text(1000, 2000, 99, 'p50'), '100% slower');
    assert.equal(text(1000, 2000, 29, 'p50'), 'too few calls to tell');
    assert.equal(text(null, 2000), undefined);
    assert.equal(text(100, 520), '5.2 times slower');
    assert.equal(text(100, 2000), '20 times slower');
    assert.equal(text(0, 0), 'about the same');
    // Failed calls have no duration.
    assert.equal(
      compareDurations({ calls: 500, errors: 0, value: 1 }, { calls: 500, errors: 450, value: 9 }, 'p95')?.text,
      'too few calls to tell',
    );
  });

  it('compares the cost of a call', () => {
    const [cheap, dear] = [sums({ costPerCall: 0.001 }), sums({ costPerCall: 0.0014 })];
    assert.equal(compareCosts(cheap, dear)?.text, '40% more expensive');
    assert.equal(compareCosts(dear, cheap)?.text, '29% cheaper');
    assert.equal(compareCosts(cheap, sums({ costPerCall: 0.001_02 }))?.text, 'about the same');
    assert.equal(compareCosts(cheap, { ...dear, calls: 5 })?.text, 'too few calls to tell');
    assert.equal(compareCosts(sums({}), dear), undefined);
    assert.equal(compareCosts(sums({ costPerCall: 0 }), dear)?.text, 'more expensive');
  });
});

describe('numbers of results', () => {
  it('keep the digits of small shares, and never round a share to 0% or 100%', () => {
    assert.deepEqual([0, 0.000_01, 0.000_52, 0.005, 0.021, 0.5, 0.999_9, 1].map(formatRate), [
      '0%',
      '<0.01%',
      '0.052%',
      '0.5%',
      '2.1%',
      '50%',
      '>99.9%',
      '100%',
    ]);
  });

  it('write the mean of a boolean as a share', () => {
    assert.equal(formatMean({ kind: 'boolean' }, 0.9), '90%');
    assert.deepEqual(
      [4.5, 0.001_23, -0.25, 1234, 123_456].map((value) => formatMean({ kind: 'number' }, value)),
      ['4.5', '0.0012', '-0.25', '1,234', '123.5K'],
    );
  });

  it('sort categories by their share', () => {
    const categories = [
      { value: 'bad', count: 1 },
      { value: 'good', count: 3 },
    ];
    assert.deepEqual(sharesOf(score({ kind: 'category', count: 4, categories })), [
      { value: 'good', share: 0.75 },
      { value: 'bad', share: 0.25 },
    ]);
  });
});
