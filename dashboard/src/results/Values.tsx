import { formatMs, formatNumber } from '../lib/format.ts';
import { formatCost } from '../runs/format.ts';
import { describeUnpriced, formatBounds, formatMean, formatRate, missing, type Score, type Sums, sharesOf } from './format.ts';

/** Shows a dash for a missing value, with the reason why it is missing. */
export function NoValue({ why }: { why: string }) {
  return (
    <span title={why} className="text-ink-3">
      <span aria-hidden>–</span>
      <span className="sr-only">{why}</span>
    </span>
  );
}

export function Duration({ value, why = missing.duration }: { value: number | null; why?: string }) {
  return value === null ? <NoValue why={why} /> : formatMs(value);
}

export function Cost({ sums: { cost, costPerCall, unpriced } }: { sums: Pick<Sums, 'cost' | 'costPerCall' | 'unpriced'> }) {
  if (costPerCall === null) return <NoValue why={missing.cost} />;
  return <span title={describeUnpriced(unpriced)}>{formatCost(cost)}</span>;
}

export function CostPerCall({ value }: { value: number | null }) {
  return value === null ? <NoValue why={missing.cost} /> : formatCost(value);
}

/** Shows the tokens that models received and wrote. */
export function Tokens({ sums: { inputTokens, outputTokens } }: { sums: Pick<Sums, 'inputTokens' | 'outputTokens'> }) {
  if (inputTokens + outputTokens === 0) return <NoValue why={missing.tokens} />;
  return (
    <>
      <span className="block">{formatNumber(inputTokens)} in</span>
      <span className="block text-ink-3">{formatNumber(outputTokens)} out</span>
    </>
  );
}

interface Scale {
  min: number;
  max: number;
}

interface MeasuredProps {
  value: number;
  low: number;
  high: number;
  format: (value: number) => string;
  /** The values at the two ends of the scale. All rows of a column have the same scale. */
  scale: Scale;
  tone?: 'danger' | undefined;
}

/** A value with its confidence interval, as text and as a bar. Overlapping bars mean that the values may not differ. */
export function Measured({ value, low, high, format, scale, tone }: MeasuredProps) {
  const [from, to] = [format(low), format(high)];
  return (
    <span className="inline-block min-w-20 text-right" title={`95% confidence interval: ${formatBounds(from, to)}`}>
      <span className={`block ${tone === 'danger' ? 'text-danger' : ''}`}>{format(value)}</span>
      <IntervalBar value={value} low={low} high={high} scale={scale} />
      <span className="block text-2xs text-ink-3">
        <span className="sr-only">, between </span>
        {from}
        <span aria-hidden>–</span>
        <span className="sr-only"> and </span>
        {to}
      </span>
    </span>
  );
}

function IntervalBar({ value, low, high, scale: { min, max } }: Omit<MeasuredProps, 'format' | 'tone'>) {
  const size = max - min;
  const at = (point: number) => (size <= 0 ? 50 : Math.max(0, Math.min(100, ((point - min) / size) * 100)));
  return (
    <span aria-hidden className="relative my-1 block h-1.5 rounded-full bg-hover">
      <span
        className="absolute inset-y-0 min-w-1 rounded-full bg-accent opacity-35"
        style={{ left: `${Math.min(98, at(low))}%`, width: `${Math.max(2, at(high) - at(low))}%` }}
      />
      <span className="absolute inset-y-0 w-1 -translate-x-1/2 rounded-full bg-accent" style={{ left: `${at(value)}%` }} />
    </span>
  );
}

export function ErrorRate({ sums: { errorRate, errors }, scale }: { sums: Pick<Sums, 'errorRate' | 'errors'>; scale: Scale }) {
  if (errorRate === null) return <NoValue why={missing.rate} />;
  return <Measured {...errorRate} format={formatRate} scale={scale} tone={errors > 0 ? 'danger' : undefined} />;
}

/** The mean of a score with its interval, or the shares of its categories. */
export function ScoreValue({ score, scale }: { score: Score | undefined; scale: Scale }) {
  if (!score || score.count === 0) return <NoValue why={missing.score} />;
  if (score.kind === 'category') return <Categories score={score} />;
  if (score.mean === null) return <NoValue why={missing.score} />;
  const format = (value: number) => formatMean(score, value);
  const { mean, low, high } = score;
  if (low === null || high === null) return <span title={missing.interval}>{format(mean)}</span>;
  return <Measured value={mean} low={low} high={high} format={format} scale={scale} />;
}

const shownCategories = 3;

export function Categories({ score }: { score: Score }) {
  const shares = sharesOf(score);
  const all = shares.map(({ value, share }) => `${value} ${formatRate(share)}`);
  return (
    <span className="block" title={all.join(', ')}>
      {shares.slice(0, shownCategories).map(({ value, share }) => (
        <span key={value} className="flex justify-end gap-1.5">
          <span dir="auto" className="max-w-20 truncate text-ink-2">
            {value}
          </span>
          {formatRate(share)}
        </span>
      ))}
      {shares.length > shownCategories && <span className="block text-2xs text-ink-3">and {shares.length - shownCategories} more</span>}
    </span>
  );
}

/**
 * The minimum number of values that determine the scale. With fewer values, an interval is so wide that the bars of other versions would be
 * too small to compare.
 */
const minCount = 30;

/** Returns the scale of the bars of a column. A bar that does not fit ends at the edge. */
export function scaleOf(intervals: ({ low: number; high: number; count: number } | null)[], start?: number): Scale {
  const all = intervals.filter((interval) => interval !== null);
  const precise = all.filter(({ count }) => count >= minCount);
  const known = precise.length > 0 ? precise : all;
  return { min: start ?? Math.min(...known.map(({ low }) => low)), max: Math.max(...known.map(({ high }) => high)) };
}
