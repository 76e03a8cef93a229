import type { Score, Sums } from './format.ts';

/** The meaning of a difference between two versions, in words. */
export interface Verdict {
  text: string;
  /** `better` and `worse` are used only for values that should be as low as possible: errors, time and cost. */
  tone: 'better' | 'worse' | 'changed' | 'open';
  /** The reason for this verdict. */
  reason: string;
}

/** The minimum number of calls for a meaningful percentile. Of 100 calls, only 5 are slower than the 95th percentile. */
const minCalls = { p50: 30, p95: 100 };
const minCostCalls = 30;
/** Percentiles are accurate to 10%, so two percentiles of equal durations can differ by about 20%. */
const durationTolerance = 0.2;
const costTolerance = 0.05;

const tooFew = (count: number): Verdict => ({
  text: 'too few calls to tell',
  tone: 'open',
  reason: `Both versions need at least ${count} calls`,
});

interface Interval {
  value: number;
  low: number;
  high: number;
}

/** Compares two shares of failed calls. Returns undefined if one of them is unknown. */
export function compareErrorRates(before: Interval | null, now: Interval | null): Verdict | undefined {
  return before && now ? compareIntervals(before, now, { higher: 'more', lower: 'fewer', isLowerBetter: true }) : undefined;
}

/** Compares the means of a score. Whether higher is better depends on the score. Returns undefined for categories and single values. */
export function compareScores(before: Score | undefined, now: Score | undefined): Verdict | undefined {
  const [first, second] = [intervalOf(before), intervalOf(now)];
  return first && second && before?.kind === now?.kind ? compareIntervals(first, second, { higher: 'higher', lower: 'lower' }) : undefined;
}

function intervalOf(score: Score | undefined): Interval | undefined {
  if (!score || score.mean === null || score.low === null || score.high === null) return undefined;
  return { value: score.mean, low: score.low, high: score.high };
}

interface Words {
  higher: string;
  lower: string;
  isLowerBetter?: boolean;
}

function compareIntervals(before: Interval, now: Interval, { higher, lower, isLowerBetter = false }: Words): Verdict {
  if (now.low <= before.high && before.low <= now.high) {
    return { text: 'no clear difference', tone: 'open', reason: 'The 95% confidence intervals overlap' };
  }
  const isHigher = now.value > before.value;
  const tone = !isLowerBetter ? 'changed' : isHigher ? 'worse' : 'better';
  return { text: isHigher ? higher : lower, tone, reason: 'The 95% confidence intervals do not overlap' };
}

type Timed = Pick<Sums, 'calls' | 'errors'>;

/** Compares a percentile of the durations of successful calls. Returns undefined if one of them is unknown. */
export function compareDurations(
  before: Timed & { value: number | null },
  now: Timed & { value: number | null },
  percentile: 'p50' | 'p95',
): Verdict | undefined {
  if (before.value === null || now.value === null) return undefined;
  const fewest = Math.min(before.calls - before.errors, now.calls - now.errors);
  if (fewest < minCalls[percentile]) return tooFew(minCalls[percentile]);
  return compareAmounts(before.value, now.value, {
    higher: 'slower',
    lower: 'faster',
    tolerance: durationTolerance,
    reason: 'Percentiles are accurate to 10%',
  });
}

/** Compares the mean cost of a call. Returns undefined if one of them is unknown. */
export function compareCosts(before: Sums, now: Sums): Verdict | undefined {
  if (before.costPerCall === null || now.costPerCall === null) return undefined;
  if (Math.min(before.calls, now.calls) < minCostCalls) return tooFew(minCostCalls);
  return compareAmounts(before.costPerCall, now.costPerCall, {
    higher: 'more expensive',
    lower: 'cheaper',
    tolerance: costTolerance,
    reason: 'The mean over the calls whose cost is known',
  });
}

interface AmountWords {
  higher: string;
  lower: string;
  /** The relative difference below which the values count as equal. */
  tolerance: number;
  reason: string;
}

function compareAmounts(before: number, now: number, { higher, lower, tolerance, reason }: AmountWords): Verdict {
  if (before === now || Math.abs(now - before) <= tolerance * Math.max(before, now))
    return { text: 'about the same', tone: 'open', reason };
  const isHigher = now > before;
  const share = before === 0 ? undefined : Math.abs(now - before) / before;
  return {
    text: `${share === undefined ? '' : `${formatDifference(share)} `}${isHigher ? higher : lower}`,
    tone: isHigher ? 'worse' : 'better',
    reason,
  };
}

/** Formats a relative difference as "34%", or as a factor if it is large: "5.2 times". */
function formatDifference(share: number): string {
  const factor = share + 1;
  if (factor < 3) return `${Math.round(share * 100)}%`;
  return `${factor < 10 ? factor.toFixed(1) : Math.round(factor)} times`;
}
