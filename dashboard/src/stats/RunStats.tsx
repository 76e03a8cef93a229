import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { formatMs, formatNumber, formatShare } from '../lib/format.ts';
import type { RunStatistics } from '../lib/types.ts';
import { formatCost } from '../runs/format.ts';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { BreakdownTable } from './BreakdownTable.tsx';
import { MemberName } from './ByMember.tsx';
import { Metric, MetricsCard, StatsSkeleton } from './Metrics.tsx';
import { chartSearchOf } from './period.ts';
import { runStatsQuery } from './queries.ts';
import type { StatsSearch } from './search.ts';
import { TimeChart } from './TimeChart.tsx';
import { useTimeZone } from './time-zone.ts';

interface RunStatsProps {
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

/** Shows how often models were run, what the runs cost, and how long they took. */
export function RunStats({ search, onChange }: RunStatsProps) {
  const zone = useTimeZone();
  const stats = useQuery(runStatsQuery(search, zone));
  const chart = useQuery(runStatsQuery(chartSearchOf(search, zone), zone));
  if (stats.isError && !stats.data) return <Problem error={stats.error} onRetry={() => stats.refetch()} />;
  if (!stats.data || !chart.data) return <StatsSkeleton />;
  if (chart.data.totals.runs === 0) {
    return (
      <Card>
        <EmptyState icon={Play} title="No model runs in this period">
          Runs and check runs appear here within seconds, whether a program or a person started them.
        </EmptyState>
      </Card>
    );
  }
  return <Content stats={stats.data} chart={chart.data} search={search} onChange={onChange} />;
}

function Content({ stats, chart, search, onChange }: RunStatsProps & { stats: RunStatistics; chart: RunStatistics }) {
  const { totals } = stats;
  const valuesOf = (pick: (point: RunStatistics['series'][number]) => number) => chart.series.map(pick);
  const errors = valuesOf((point) => point.errors);
  return (
    <div className="space-y-6">
      <MetricsCard
        metrics={
          <>
            <Metric label="Model runs" value={formatNumber(totals.runs)} />
            <Metric
              label="Errors"
              value={formatNumber(totals.errors)}
              note={formatShare(totals.errors, totals.runs)}
              tone={totals.errors > 0 ? 'danger' : undefined}
            />
            <Metric label="Cost" value={formatCost(totals.cost)} note={describeUnpriced(totals.unpriced)} />
            <Metric label="Tokens" value={formatNumber(totals.inputTokens + totals.outputTokens)} />
            <Metric label="Median duration" value={formatMs(totals.durationMs.p50)} note="p50" />
            <Metric label="95th percentile" value={formatMs(totals.durationMs.p95)} note="p95" />
          </>
        }
      >
        <TimeChart
          title="Model runs over time"
          stats={chart}
          layers={[
            { name: 'Successful', color: 'var(--chart-1)', values: valuesOf((point) => point.runs - point.errors) },
            { name: 'Errors', color: 'var(--chart-errors)', values: errors },
          ]}
          columns={[
            { name: 'Runs', values: valuesOf((point) => point.runs) },
            { name: 'Errors', values: errors },
            { name: 'Cost', values: valuesOf((point) => point.cost), format: formatCost },
            { name: 'Median', values: valuesOf((point) => point.durationMs.p50 ?? 0), format: (ms) => formatMs(ms || null) },
          ]}
          at={search.at}
          onOpen={(at) => onChange({ ...search, at })}
        />
      </MetricsCard>
      <div className="grid gap-6 lg:grid-cols-2">
        <BreakdownTable title="By model" columns={runColumns('Model')} empty="No model runs in this period.">
          {stats.byModel.map(({ model, ...sums }) => (
            <tr key={model}>
              <td dir="auto" className="py-2 pr-3 pl-4 wrap-anywhere">
                {model ?? <span className="text-ink-3">Others</span>}
              </td>
              <RunCells sums={sums} />
            </tr>
          ))}
        </BreakdownTable>
        <BreakdownTable title="By member" columns={runColumns('Member')} empty="No model runs in this period.">
          {stats.byMember.map(({ userId, name, kind, ...sums }) => (
            <tr key={userId}>
              <td className="py-2 pr-3 pl-4">
                <MemberName caller={{ userId, name, kind }} onFilter={(member) => onChange({ ...search, member })} />
              </td>
              <RunCells sums={sums} />
            </tr>
          ))}
        </BreakdownTable>
      </div>
    </div>
  );
}

const runColumns = (first: string): [string, ...string[]] => [first, 'Runs', 'Cost', 'Median'];

function RunCells({ sums: { runs, cost, unpriced, durationMs } }: { sums: Omit<RunStatistics['byModel'][number], 'model'> }) {
  const cellClass = 'py-2 pr-4 text-right whitespace-nowrap tabular';
  return (
    <>
      <td className={cellClass}>{formatNumber(runs)}</td>
      <td className={cellClass} title={describeUnpriced(unpriced)}>
        {unpriced > 0 && cost === 0 ? '–' : formatCost(cost)}
      </td>
      <td className={cellClass}>{formatMs(durationMs.p50)}</td>
    </>
  );
}

function describeUnpriced(unpriced: number): string | undefined {
  return unpriced === 0 ? undefined : `${formatNumber(unpriced)} without a price`;
}
