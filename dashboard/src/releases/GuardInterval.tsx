import type { GuardResult } from './release.ts';

interface GuardIntervalProps {
  result: GuardResult;
  difference: NonNullable<GuardResult['difference']>;
}

/** The maximum number of margins in each half of the drawing. Wider intervals end at the edge. */
const maxMargins = 8;

/**
 * Draws the interval that contains the true difference, and the range that the guard does not allow. Worse values are always on the right.
 * The text next to the drawing says the same.
 */
export function GuardInterval({ result: { margin, better, verdict }, difference }: GuardIntervalProps) {
  const sign = better === 'higher' ? -1 : 1;
  const [low, high] = [difference.low * sign, difference.high * sign].sort((a, b) => a - b) as [number, number];
  const widest = Math.max(Math.abs(low), Math.abs(high), margin) * 1.1;
  const half = margin > 0 ? Math.min(widest, margin * maxMargins) : widest;
  const at = (value: number) => (half === 0 ? 50 : Math.max(0, Math.min(100, 50 + (value / half) * 50)));
  const color = verdict === 'worse' ? 'bg-danger' : verdict === 'passed' ? 'bg-accent' : 'bg-ink-3';
  return (
    <div aria-hidden className="relative h-4 max-w-xl overflow-hidden rounded-sm bg-hover">
      <span className="absolute inset-y-0 right-0 border-danger border-l border-dashed bg-danger-soft" style={{ left: `${at(margin)}%` }} />
      <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
      <span
        className={`absolute top-1/2 h-1.5 min-w-1 -translate-y-1/2 rounded-full opacity-45 ${color}`}
        style={{ left: `${Math.min(99, at(low))}%`, width: `${Math.max(1, at(high) - at(low))}%` }}
      />
      <span
        className={`absolute top-1/2 h-2.5 w-1 -translate-x-1/2 -translate-y-1/2 rounded-full ${color}`}
        style={{ left: `${at(difference.value * sign)}%` }}
      />
    </div>
  );
}
