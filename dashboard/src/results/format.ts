import { formatNumber } from '../lib/format.ts';
import type { PromptResults } from '../lib/types.ts';

export type Sums = Omit<PromptResults['totals'], 'errorTypes' | 'scores'>;
export type Score = PromptResults['totals']['scores'][number];

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const smallPercent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });
const mean = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const smallMean = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** Formats a share such as 0.021 as "2.1%". Small shares keep two digits, because an error rate of 0.04% is not 0%. */
export function formatRate(value: number): string {
  // Because of rounding, a bound can be slightly negative.
  if (value < 1e-9) return '0%';
  if (value < 0.0001) return '<0.01%';
  if (value > 0.999 && value < 1) return '>99.9%';
  return (value < 0.01 ? smallPercent : percent).format(value);
}

/** Formats the mean of a score: a share for booleans, a number otherwise. */
export function formatMean({ kind }: Pick<Score, 'kind'>, value: number): string {
  if (kind === 'boolean') return formatRate(value);
  const size = Math.abs(value);
  if (size >= 1000) return formatNumber(Math.round(value));
  return (size > 0 && size < 0.01 ? smallMean : mean).format(value);
}

/** Formats an interval as "1.2% to 3.4%". */
export const formatBounds = (low: string, high: string) => `${low} to ${high}`;

/** The reasons why a value is missing, for tooltips and screen readers. */
export const missing = {
  rate: 'No calls in this period',
  duration: 'No call succeeded in this period',
  firstChunk: 'No call reported the time to its first chunk',
  tokens: 'No call reported tokens',
  cost: 'No call reported a cost, and none used a model with a known price',
  score: 'This version does not have this score',
  interval: 'A single value has no confidence interval',
};

export function describeUnpriced(unpriced: number): string | undefined {
  return unpriced === 0 ? undefined : `${formatNumber(unpriced)} without a price`;
}

/** Whether the cost of any call is known. */
export const hasCost = ({ costPerCall }: Pick<Sums, 'costPerCall'>) => costPerCall !== null;

/** Returns the categories with their shares, most frequent first. */
export function sharesOf({ categories, count }: Score): { value: string; share: number }[] {
  return categories
    .toSorted((a, b) => b.count - a.count)
    .map(({ value, count: part }) => ({ value, share: count === 0 ? 0 : part / count }));
}
