import type { RunSummary } from '../lib/types.ts';
import { metricsOf } from './format.ts';

/** Shows the metrics of a run in one line. */
export function Metrics({ run }: { run: Pick<RunSummary, 'usage' | 'cost' | 'firstTokenMs' | 'durationMs'> }) {
  return (
    <dl className="flex flex-wrap gap-x-3 gap-y-0.5 text-ink-2 text-xs tabular" data-testid="run-metrics">
      {metricsOf(run).map(({ name, value }) => (
        <div
          key={name}
          title={run.usage.estimated && name.endsWith('tokens') ? 'Estimated, because the server did not report tokens' : undefined}
        >
          <dt className="sr-only">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
