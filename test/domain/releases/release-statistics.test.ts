import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareMeans, isMismatch, probabilityHigher } from '../../../src/domain/releases/release-statistics.ts';
import type { UnitSums } from '../../../src/store/statistics/release-results.ts';

/** Returns the sums of units, `count` of which have the value 1. The others have the value 0. */
const shareOf = (count: number, units: number): UnitSums => ({ units, total: count, squares: count });
const close = (actual: number | undefined, expected: number, tolerance: number) =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

describe('compareMeans', () => {
  const compare = (control: UnitSums, arm: UnitSums, alpha = 0.05) => compareMeans(control, arm, { alpha, scale: 1 });

  it('has the published width', () => {
    const found = compare(shareOf(500, 2500), shareOf(575, 2500));
    // The formula by hand: n = 5,000, the variances are 0.16 and 0.1771, and 5,000 rho² = 2 ln 20 + ln(1 + 2 ln 20) = 7.938.
    const expected = Math.sqrt((0.16 + 0.1771) * 2) * Math.sqrt((2 * 8.938 * Math.log(Math.sqrt(8.938) / 0.05)) / (5000 * 7.938));
    close(found?.value, 0.03, 1e-9);
    close((found?.high ?? 0) - (found?.value ?? 0), expected, 0.0002);
    close((found?.value ?? 0) - (found?.low ?? 0), expected, 0.0002);
  });

  it('is narrower with more units and wider with a smaller alpha, and contains the value', () => {
    const widthOf = (units: number, alpha: number) => {
      const found = compare(shareOf(units / 5, units), shareOf(units / 4, units), alpha);
      assert.ok(found && found.low < found.value && found.value < found.high);
      return found.high - found.low;
    };
    const widths = [100, 1000, 10_000, 100_000].map((units) => widthOf(units, 0.05));
    assert.deepEqual(
      widths.toSorted((a, b) => b - a),
      widths,
    );
    assert.ok(widthOf(1000, 0.001) > widthOf(1000, 0.05));
  });

  it('is not certain because a few units happen to be equal', () => {
    const found = compare(shareOf(10, 1000), shareOf(0, 30));
    assert.ok(found && found.high > 0.05, 'no error in 30 units does not prove an error rate near 0');
    const equal = compareMeans({ units: 20, total: 20, squares: 20 }, { units: 20, total: 30, squares: 45 }, { alpha: 0.05, scale: 1 });
    assert.ok(equal && equal.low < 0 && equal.high > 1, JSON.stringify(equal));
  });

  it('finds an arm in which every unit fails within 20 units', () => {
    const found = compare(shareOf(4, 380), shareOf(20, 20), 0.05 / 4);
    assert.ok(found && found.low > 0.3, JSON.stringify(found));
  });

  it('says nothing about fewer than 10 units', () => {
    assert.equal(compare(shareOf(0, 9), shareOf(500, 500)), null);
    assert.equal(compare(shareOf(0, 500), shareOf(0, 0)), null);
    assert.ok(compare(shareOf(0, 10), shareOf(0, 10)));
  });
});

describe('probabilityHigher', () => {
  it('has known values', () => {
    close(probabilityHigher(shareOf(200, 1000), shareOf(230, 1000)), 0.9486, 0.0005);
    close(probabilityHigher(shareOf(230, 1000), shareOf(200, 1000)), 1 - 0.9486, 0.0005);
    close(probabilityHigher(shareOf(0, 0), shareOf(0, 0)), 0.5, 1e-6);
    // With no results for the control and one success for the arm, the integral of x · 2x is 2/3.
    close(probabilityHigher(shareOf(0, 0), shareOf(1, 1)), 2 / 3, 1e-5);
    close(probabilityHigher(shareOf(100_000, 500_000), shareOf(100_000, 500_000)), 0.5, 1e-6);
  });

  it('is almost certain if the shares are far apart', () => {
    close(probabilityHigher(shareOf(1000, 1_000_000), shareOf(900_000, 1_000_000)), 1, 1e-9);
    close(probabilityHigher(shareOf(1000, 1000), shareOf(0, 1000)), 0, 1e-9);
  });
});

describe('isMismatch', () => {
  const arms = (...pairs: [weight: number, units: number][]) => pairs.map(([weight, units]) => ({ weight, units }));

  it('finds units that do not match the weights', () => {
    assert.ok(isMismatch(arms([5000, 4000], [5000, 5000])));
    assert.ok(isMismatch(arms([9500, 9500], [500, 1000])));
    assert.ok(isMismatch(arms([9500, 2000], [500, 0])), 'the arm reports nothing');
    assert.ok(isMismatch(arms([5000, 5000], [2000, 2000], [2000, 1000], [1000, 1000])));
  });

  it('accepts units that match, or that are too few to tell', () => {
    assert.equal(isMismatch(arms([5000, 4950], [5000, 5050])), false);
    assert.equal(isMismatch(arms([9500, 9480], [500, 520])), false);
    assert.equal(isMismatch(arms([5000, 5010], [2000, 1990], [2000, 2020], [1000, 980])), false);
    assert.equal(isMismatch(arms([5000, 10], [5000, 0])), false);
    assert.equal(isMismatch(arms([9999, 5000], [1, 4])), false, 'one unit would be expected');
    assert.equal(isMismatch(arms([9500, 0], [500, 0])), false);
  });

  it('ignores arms without a weight', () => {
    assert.equal(isMismatch(arms([0, 3], [10_000, 5000])), false);
    assert.equal(isMismatch(arms([5000, 5000], [5000, 5000], [0, 100])), false);
  });
});
