import type { GuardResult } from '../../contract/release-progress.ts';

/** Names what a guard watches, such as "the error rate of v4". */
export function describeMetric({ metric, arm }: Pick<GuardResult, 'metric' | 'arm'>): string {
  return `the ${nameMetric(metric)} of ${arm}`;
}

/**
 * Says how much an arm may differ from the control, such as "the difference from the control is between -1 and 3 percentage points, and up
 * to 2 percentage points more is allowed".
 */
export function describeDifference({ metric, margin, better, difference }: GuardResult): string {
  if (!difference) return 'there are too few results';
  const { scale, unit } = measures[metric] ?? { scale: 1, unit: '' };
  // Differences smaller than 0.01 percentage points, or 0.0001 of a score, are not meaningful.
  const toText = (value: number) => String(Number(Number((value * scale).toPrecision(2)).toFixed(scale === 1 ? 4 : 2)));
  const bounds = `${toText(difference.low)} and ${toText(difference.high)}${unit}`;
  return `the difference from the control is between ${bounds}, and up to ${Number((margin * scale).toPrecision(2))}${unit} ${better === 'lower' ? 'more' : 'less'} is allowed`;
}

/** Says what the values of an arm and the control are, such as "the error rate is 30% with v4 and 20% with the control". */
export function describeValues({ metric, arm, value, control }: GuardResult): string {
  return `the ${nameMetric(metric)} is ${toValue(metric, value)} with ${arm} and ${toValue(metric, control)} with the control`;
}

function nameMetric(metric: string): string {
  return names[metric] ?? `score “${metric.slice('score:'.length)}”`;
}

const names: Record<string, string> = { errorRate: 'error rate', latency: 'latency', cost: 'cost per call' };

/** The scale and unit in which the differences of each metric are shown. */
const measures: Record<string, { scale: number; unit: string }> = {
  errorRate: { scale: 100, unit: ' percentage points' },
  latency: { scale: 100, unit: '%' },
  cost: { scale: 100, unit: '%' },
};

function toValue(metric: string, value: number | null): string {
  if (value === null) return 'unknown';
  if (metric === 'errorRate') return `${Number((value * 100).toPrecision(3))}%`;
  if (metric === 'latency') return `${Number(value.toPrecision(3))} ms`;
  return `${metric === 'cost' ? '$' : ''}${Number(value.toPrecision(3))}`;
}
