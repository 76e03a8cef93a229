import { controlArm, fullWeight, nameArm } from '../../contract/release-assignment.ts';
import type { GuardResult, ReleaseProgress } from '../../contract/release-progress.ts';
import type { ReleasePlan, ReleaseRecord } from '../../store/prompts/releases.ts';
import type { ArmResults, UnitSums } from '../../store/statistics/release-results.ts';
import { compareMeans, type Estimate, isMismatch, meanOf, probabilityHigher } from './release-statistics.ts';

/**
 * The maximum share of releases in which any result may mislead the service. It applies to all guards, arms and steps of a release
 * together.
 */
const releaseAlpha = 0.05;
const significantDigits = 4;
const noise = 1e-12;
const noUnits: UnitSums = { units: 0, total: 0, squares: 0 };

export interface MeasuredArm {
  arm: string;
  version: number;
  weight: number;
  units: number;
  calls: number;
}

/** The conclusions from the results of a release's current stage. */
export interface Measurement {
  /** The control first, then the arms. */
  arms: MeasuredArm[];
  guards: GuardResult[];
  metric: ReleaseProgress['metric'];
  /** Whether the numbers of units contradict the weights of the arms. */
  isMismatch: boolean;
}

/** Compares each arm of a release with the control. */
export function measureArms(release: Pick<ReleaseRecord, 'split' | 'plan' | 'stage'>, results: ArmResults[]): Measurement {
  const { split, plan } = release;
  const alpha = findAlpha(release);
  const resultsOf = (version: number) => results.find((result) => result.version === version);
  const sumsOf = (version: number, metric: string) => resultsOf(version)?.metrics.get(metric) ?? noUnits;
  const toArm = (version: number, weight: number): MeasuredArm => {
    const { units = 0, calls = 0 } = resultsOf(version) ?? {};
    return { arm: nameArm(split.control, version), version, weight, units, calls };
  };
  const rest = split.arms.reduce((weight, arm) => weight - arm.weight, fullWeight);
  const arms = split.arms.map(({ version, weight }) => toArm(version, weight));
  const control = toArm(split.control, rest);
  const compare = (guard: Guard, version: number) =>
    compareArm(guard, { control: sumsOf(split.control, guard.metric), arm: sumsOf(version, guard.metric), alpha });
  return {
    arms: [control, ...arms],
    guards: plan.guards.flatMap((guard) => arms.map(({ arm, version }) => ({ ...guard, arm, ...compare(guard, version) }))),
    metric: plan.metric === null ? null : measureMetric(toGuard(plan, plan.metric)),
    isMismatch: isMismatch([control, ...arms]),
  };

  function measureMetric(guard: Guard): NonNullable<ReleaseProgress['metric']> {
    const { metric } = guard;
    const controlSums = sumsOf(split.control, metric);
    const others = arms.map(({ arm, version }) => {
      const { value, difference } = compare(guard, version);
      return { arm, value, difference, probabilityBetter: findProbability(guard, controlSums, sumsOf(version, metric)) };
    });
    const value = roundOrNull(toShown(metric, meanOf(controlSums)));
    return { metric, arms: [{ arm: controlArm, value, difference: null, probabilityBetter: null }, ...others] };
  }
}

type Guard = ReleasePlan['guards'][number];

/** Returns the probability with which a single interval may be wrong, so that at most 5% of releases have any wrong interval. */
function findAlpha({ split, plan, stage }: Pick<ReleaseRecord, 'split' | 'plan' | 'stage'>): number {
  // The first stage comes before the first step. People may add stages.
  const stages = Math.max(plan.steps.length + 1, stage);
  return releaseAlpha / (Math.max(1, plan.guards.length) * split.arms.length * stages);
}

/** Returns the guard of a metric. For a metric without a guard, returns a guard that says which values of the metric are better. */
function toGuard({ guards }: ReleasePlan, metric: string): Guard {
  const better = metric.startsWith('score:') ? 'higher' : 'lower';
  return guards.find((guard) => guard.metric === metric) ?? { metric, margin: 0, better };
}

function compareArm(guard: Guard, { control, arm, alpha }: { control: UnitSums; arm: UnitSums; alpha: number }) {
  const { metric } = guard;
  const difference = compareMeans(control, arm, { alpha, scale: scaleOf(guard, [control, arm]) });
  return {
    control: roundOrNull(toShown(metric, meanOf(control))),
    value: roundOrNull(toShown(metric, meanOf(arm))),
    difference: difference && toShownDifference(metric, difference),
    verdict: difference ? judge(guard, difference) : ('undecided' as const),
  };
}

/** Returns whether an arm is certainly worse than a guard allows, certainly not worse, or undecided. */
function judge({ metric, margin, better }: Guard, { low, high }: Estimate): GuardResult['verdict'] {
  const allowed = isLogarithmic(metric) ? Math.log1p(margin) : margin;
  const [atLeast, atMost] = better === 'lower' ? [low, high] : [-high, -low];
  if (atLeast > allowed) return 'worse';
  return atMost <= allowed ? 'passed' : 'undecided';
}

/**
 * Returns the expected size of differences between units. Shares and logarithms differ by about 1. The unit of a score is not known, so the
 * mean of the score is used instead.
 */
function scaleOf({ metric, margin }: Guard, arms: UnitSums[]): number {
  return metric.startsWith('score:') ? Math.max(margin, ...arms.map((sums) => Math.abs(meanOf(sums) ?? 0))) : 1;
}

function findProbability({ better }: Guard, control: UnitSums, arm: UnitSums): number | null {
  if (![control, arm].every(isShare)) return null;
  const higher = probabilityHigher(control, arm);
  return Number((better === 'higher' ? higher : 1 - higher).toFixed(significantDigits));
}

/** Returns whether all values can be between 0 and 1. The square of such a value is never greater than the value. */
function isShare({ units, total, squares }: UnitSums): boolean {
  return units > 0 && total >= 0 && squares <= total && total <= units;
}

/** The values of these metrics are logarithms, so that a few very slow or expensive calls do not dominate the mean. */
function isLogarithmic(metric: string): boolean {
  return metric === 'latency' || metric === 'cost';
}

function toShown(metric: string, mean: number | null): number | null {
  return mean !== null && isLogarithmic(metric) ? Math.exp(mean) : mean;
}

function toShownDifference(metric: string, { value, low, high }: Estimate): Estimate {
  if (isLogarithmic(metric)) return { value: round(Math.expm1(value)), low: round(Math.expm1(low)), high: round(Math.expm1(high)) };
  if (metric !== 'errorRate') return { value: round(value), low: round(low), high: round(high) };
  return { value: round(value), low: round(Math.max(-1, low)), high: round(Math.min(1, high)) };
}

/** Sums of decimal fractions are not exact, so the difference of equal values can be slightly more or less than 0. */
function round(value: number): number {
  return Math.abs(value) < noise ? 0 : Number(value.toPrecision(significantDigits));
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}
