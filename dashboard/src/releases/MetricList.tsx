import { formatDifference, formatValue, titleMetric } from './metrics.ts';
import type { Release } from './release.ts';

type Metric = NonNullable<NonNullable<Release['progress']>['metric']>;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Shows the metric that the release should improve. This metric does not affect the release. */
export function MetricList({ label, metric, arms }: Metric & { label: string }) {
  return (
    <section aria-label={`What the release on ${label} should improve`}>
      <h3 dir="auto" className="font-medium wrap-anywhere">
        Metric to improve: {titleMetric(metric)}
      </h3>
      <p className="mb-1 text-ink-3 text-xs">For information only. It does not affect the release.</p>
      <ul className="space-y-0.5 text-ink-2 tabular">
        {arms.map(({ arm, value, difference, probabilityBetter }) => (
          <li key={arm}>
            {arm}: {value === null ? 'no results yet' : formatValue(metric, value)}
            {difference && `. Difference: ${formatDifference(metric, difference.low)} to ${formatDifference(metric, difference.high)}`}
            {probabilityBetter !== null && `. Probability that it is better than the control: ${percent.format(probabilityBetter)}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
