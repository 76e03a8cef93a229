import type { UnitSums } from '../../store/statistics/release-results.ts';

/** A difference of two means, and the bounds between which the true difference lies. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** The number of units for which the intervals are narrowest, compared with intervals that are valid for a single look only. */
const tunedUnits = 5000;
/** The minimum number of units. The results of fewer units are not meaningful. */
const minUnits = 10;
/** The probability that a release whose units match its weights is ever called a mismatch. */
const mismatchProbability = 0.001;
/** The number of points at which the distributions of two shares are compared. */
const gridPoints = 4000;
/** Beyond this number of standard deviations, a distribution is practically zero. */
const gridDeviations = 9;

export function meanOf({ units, total }: UnitSums): number | null {
  return units === 0 ? null : total / units;
}

/**
 * Compares the means of an arm and the control. However often the results are looked at, the bounds always contain the true difference in
 * all but a share `alpha` of releases. The bounds are the asymptotic confidence sequence with a normal mixture by Waudby-Smith et al.
 * `scale` is a typical difference between units.
 */
export function compareMeans(control: UnitSums, arm: UnitSums, { alpha, scale }: { alpha: number; scale: number }): Estimate | null {
  if (Math.min(control.units, arm.units) < minUnits) return null;
  const units = control.units + arm.units;
  const variance = varianceOf(control, scale) / control.units + varianceOf(arm, scale) / arm.units;
  const half = Math.sqrt(variance * units) * findWidth(units, alpha);
  const value = arm.total / arm.units - control.total / control.units;
  return { value, low: value - half, high: value + half };
}

/**
 * Returns the variance between units, as if there were two more units, one `scale` above and one below the mean. A few units that happen to
 * be equal would otherwise have no variance and make any difference look certain.
 */
function varianceOf({ units, total, squares }: UnitSums, scale: number): number {
  // Rounding can make the difference slightly negative.
  const deviations = Math.max(0, squares - (total * total) / units);
  return (deviations + 2 * scale * scale) / (units + 1);
}

/** Returns half the width of an always-valid interval for the mean of values with the variance 1. */
function findWidth(units: number, alpha: number): number {
  const logarithm = -2 * Math.log(alpha);
  const weight = (units * (logarithm + Math.log(1 + logarithm))) / tunedUnits;
  return Math.sqrt((2 * (weight + 1) * Math.log(Math.sqrt(weight + 1) / alpha)) / (units * weight));
}

/**
 * Returns whether the numbers of units are very unlikely for the weights of the arms, so that the assignment or the reports must be broken.
 * A chi-square test would be right for a single look only: in a hundred looks, it finds a mismatch in 1 of 40 releases that have none.
 */
export function isMismatch(arms: readonly { weight: number; units: number }[]): boolean {
  const used = arms.filter(({ weight }) => weight > 0);
  const weights = used.reduce((sum, { weight }) => sum + weight, 0);
  const units = used.reduce((sum, arm) => sum + arm.units, 0);
  return used.some((arm) => {
    const share = arm.weight / weights;
    if (units * Math.min(share, 1 - share) < minUnits) return false;
    const half = Math.sqrt(share * (1 - share)) * findWidth(units, mismatchProbability / used.length);
    return Math.abs(arm.units / units - share) > half;
  });
}

/**
 * Returns the probability that the share of the arm is higher than the share of the control. Before any results, all shares are equally
 * likely.
 */
export function probabilityHigher(control: UnitSums, arm: UnitSums): number {
  const [a, b] = [toBeta(control), toBeta(arm)];
  const low = Math.max(0, Math.min(...[a, b].map(({ mean, deviation }) => mean - gridDeviations * deviation)));
  const high = Math.min(1, Math.max(...[a, b].map(({ mean, deviation }) => mean + gridDeviations * deviation)));
  const points = Array.from({ length: gridPoints }, (_, index) => low + ((high - low) * (index + 0.5)) / gridPoints);
  const [controlDensity, armDensity] = [a, b].map((beta) => densityAt(beta, points)) as [number[], number[]];
  let below = 0;
  let probability = 0;
  for (const [index, density] of armDensity.entries()) {
    const here = controlDensity[index] ?? 0;
    probability += density * (below + here / 2);
    below += here;
  }
  return probability;
}

/** The distribution of a share. Its logarithm at x is `successes * ln(x) + failures * ln(1 - x)`, plus a constant. */
interface Beta {
  successes: number;
  failures: number;
  mean: number;
  deviation: number;
}

function toBeta({ units, total }: UnitSums): Beta {
  const mean = (total + 1) / (units + 2);
  return { successes: total, failures: units - total, mean, deviation: Math.sqrt((mean * (1 - mean)) / (units + 3)) };
}

/** Returns the density at each point, so that all of them add up to 1. */
function densityAt({ successes, failures }: Beta, points: number[]): number[] {
  const logarithms = points.map((x) => successes * Math.log(x) + failures * Math.log1p(-x));
  const highest = logarithms.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  const densities = logarithms.map((value) => Math.exp(value - highest));
  const sum = densities.reduce((total, density) => total + density, 0);
  return densities.map((density) => density / sum);
}
