import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatAgo, formatMs, formatNumber, formatShare } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { ByPrompt, ByRoute, ByStatus } from './Breakdown.tsx';
import { FirstSteps } from './lazy.tsx';
import { Metric, MetricsCard, StatsSkeleton } from './Metrics.tsx';
import { ActiveFilters, PeriodControls } from './PeriodControls.tsx';
import { chartSearchOf } from './period.ts';
import { hasNoCalls, statsQuery } from './queries.ts';
import type { StatsSearch } from './search.ts';
import { TimeChart } from './TimeChart.tsx';

/** The calls of the workspace. Before the first call, the page explains how to make it. */
export function StatsPage() {
  const search = useSearch({ from: '/dashboard/' });
  const navigate = useNavigate();
  const stats = useQuery(statsQuery(search));
  const chart = useQuery(statsQuery(chartSearchOf(search)));
  const { isOwn } = useWorkspace();
  const mayBeNew = isOwn && stats.data !== undefined && hasNoCalls(stats.data);
  // After the key was reset, there may be earlier calls.
  const month = useQuery({ ...statsQuery({ range: '30d' }), enabled: mayBeNew });
  const isNew = mayBeNew && month.data?.totals.calls === 0;
  const firstSteps = useFirstSteps(isNew);
  const show = (next: StatsSearch) => navigate({ to: '/dashboard', replace: next.at === search.at, search: next });

  if (isNew) {
    return (
      <Page title="Statistics" description="Calls made with your API key">
        <FirstSteps hasCall={false} />
      </Page>
    );
  }
  return (
    <Page
      title="Statistics"
      description="Calls made with API keys in this workspace"
      actions={stats.data && !mayBeNew && <PeriodControls search={search} onChange={show} />}
    >
      {firstSteps.isShown && (
        <div className="mb-6">
          <FirstSteps hasCall onClose={firstSteps.close} />
        </div>
      )}
      <ActiveFilters search={search} onChange={show} />
      {stats.isPending && <StatsSkeleton />}
      {stats.isError && !stats.data && <Problem error={stats.error} onRetry={() => stats.refetch()} />}
      {mayBeNew && month.isPending && <StatsSkeleton />}
      {stats.data && !(mayBeNew && month.isPending) && (
        <StatsContent stats={stats.data} chart={chart.data ?? stats.data} search={search} onChange={show} />
      )}
    </Page>
  );
}

/** After the first call, the completed first steps stay until the user closes them. */
function useFirstSteps(isNew: boolean) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (isNew) setIsShown(true);
  }, [isNew]);
  return { isShown, close: () => setIsShown(false) };
}

interface StatsContentProps {
  stats: Statistics;
  /** Returns the same period, or the day around the hour that `stats` covers. */
  chart: Statistics;
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

function StatsContent({ stats, chart, search, onChange }: StatsContentProps) {
  const { totals, durationMs, keyLastUsedAt } = stats;
  const errors = chart.series.map((point) => point.errors);
  const calls = chart.series.map((point) => point.calls);
  return (
    <div className="space-y-6">
      <MetricsCard
        metrics={
          <>
            <Metric label="Calls" value={formatNumber(totals.calls)} />
            <Metric
              label="Errors"
              value={formatNumber(totals.errors)}
              note={formatShare(totals.errors, totals.calls)}
              tone={totals.errors > 0 ? 'danger' : undefined}
            />
            <Metric label="Median duration" value={formatMs(durationMs.p50)} note="p50" />
            <Metric label="95th percentile" value={formatMs(durationMs.p95)} note="p95" />
            <Metric label="Key last used" value={keyLastUsedAt ? formatAgo(keyLastUsedAt) : 'Never'} />
          </>
        }
      >
        <TimeChart
          title="Calls over time"
          stats={chart}
          layers={[
            { name: 'Successful', color: 'var(--chart-1)', values: calls.map((count, index) => count - (errors[index] ?? 0)) },
            { name: 'Errors', color: 'var(--chart-errors)', values: errors },
          ]}
          columns={[
            { name: 'Calls', values: calls },
            { name: 'Errors', values: errors },
          ]}
          at={search.at}
          onOpen={(at) => onChange({ ...search, at })}
        />
      </MetricsCard>
      <div className="grid gap-6 lg:grid-cols-2">
        <ByPrompt stats={stats} search={search} />
        <div className="space-y-6">
          <ByStatus stats={stats} onFilter={(status) => onChange({ ...search, status })} />
          <ByRoute stats={stats} />
        </div>
      </div>
    </div>
  );
}
