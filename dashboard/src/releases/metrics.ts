import { formatMs } from '../lib/format.ts';
import { formatRate } from '../results/format.ts';
import { formatCost } from '../runs/format.ts';
import type { Guard } from './release.ts';

const scorePrefix = 'score:';
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const smallNumber = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** Returns the name of a metric for the middle of a sentence. */
export function nameMetric(metric: string): string {
  return names[metric] ?? metric.slice(scorePrefix.length);
}

const names: Record<string, string> = { errorRate: 'error rate', latency: 'latency', cost: 'cost per call' };

export function titleMetric(metric: string): string {
  const name = nameMetric(metric);
  return metric in names ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

export const scoreMetric = (name: string) => `${scorePrefix}${name}`;

/** Formats the mean of a metric. */
export function formatValue(metric: string, value: number): string {
  if (metric === 'errorRate') return formatRate(value);
  if (metric === 'latency') return formatMs(value);
  if (metric === 'cost') return formatCost(value);
  return formatPlain(value);
}

/** Formats a difference without its sign: shares in percentage points, latency and cost in percent, scores as they are. */
export function formatSize(metric: string, size: number): string {
  if (metric === 'errorRate') return `${formatPlain(size * 100)} points`;
  if (metric === 'latency' || metric === 'cost') return `${formatPlain(size * 100)}%`;
  return formatPlain(size);
}

/** Formats a difference with its sign. */
export function formatDifference(metric: string, difference: number): string {
  // Differences smaller than 0.01 percentage points, or 0.0001 of a score, are not meaningful.
  const rounded = Number(difference.toFixed(4));
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '±';
  return `${sign}${formatSize(metric, Math.abs(rounded))}`;
}

/** Says how much worse an arm may be, such as "up to 2 points more". */
export function describeMargin({ metric, margin, better }: Guard): string {
  return `up to ${formatSize(metric, margin)} ${worseWord({ metric, better })}`;
}

export function worseWord({ metric, better }: Pick<Guard, 'metric' | 'better'>): string {
  if (metric === 'latency') return 'slower';
  if (better === 'higher') return 'lower';
  return metric in names ? 'more' : 'higher';
}

function formatPlain(value: number): string {
  const size = Math.abs(value);
  return (size > 0 && size < 0.1 ? smallNumber : number).format(value);
}
