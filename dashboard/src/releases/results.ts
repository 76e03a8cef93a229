import { describeMargin, formatDifference, formatValue, titleMetric } from './metrics.ts';
import type { GuardResult } from './release.ts';

/** Describes a result: "Error rate of v4: 1.2%, control: 1.1%. Difference: −3.1 points to +3.3 points. Allowed: up to 2 points more." */
export function describeResult(result: GuardResult): string {
  const { metric, arm, value, control } = result;
  const values = `${titleMetric(metric)} of ${arm}: ${show(metric, value)}, control: ${show(metric, control)}.`;
  return `${values} ${describeBounds(result)}`;
}

/** Describes the confidence interval of the difference, and the margin that is allowed. */
export function describeBounds({ difference, ...guard }: GuardResult): string {
  const allowed = `Allowed: ${describeMargin(guard)}.`;
  if (!difference) return allowed;
  const { metric } = guard;
  return `Difference: ${formatDifference(metric, difference.low)} to ${formatDifference(metric, difference.high)}. ${allowed}`;
}

export function show(metric: string, value: number | null): string {
  return value === null ? 'unknown' : formatValue(metric, value);
}

export const verdicts: Record<GuardResult['verdict'], { text: string; tone: 'accent' | 'danger' | 'neutral' }> = {
  passed: { text: 'not worse', tone: 'accent' },
  worse: { text: 'worse', tone: 'danger' },
  undecided: { text: 'not certain yet', tone: 'neutral' },
};
