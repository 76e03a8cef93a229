import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { formatNumber, formatShare } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { ReadReleases } from '../releases/PeriodReleases.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { ByStatus } from './Breakdown.tsx';
import { CsvMenu } from './CsvMenu.tsx';
import { Metric, MetricsCard, StatsSkeleton } from './Metrics.tsx';
import { ActiveFilters, PeriodControls } from './PeriodControls.tsx';
import { ByVersion, ErrorCauses } from './PromptBreakdown.tsx';
import { chartSearchOf } from './period.ts';
import { rangeOf, statsQuery } from './queries.ts';
import { parseStatsSearch, type StatsSearch } from './search.ts';
import { TimeChart } from './TimeChart.tsx';
import { useTimeZone } from './time-zone.ts';
import { layersOf } from './version-layers.ts';

/** Shows the calls of one prompt, by version and label over time, and the reasons why renders failed. */
export function PromptStats({ prompt }: { prompt: { name: string } }) {
  const { member: _, show: _show, ...search } = parseStatsSearch(useSearch({ from: '/dashboard/prompts/$' }));
  const zone = useTimeZone();
  const navigate = useNavigate();
  const stats = useQuery(statsQuery(search, zone, prompt.name));
  const chart = useQuery(statsQuery(chartSearchOf(search, zone), zone, prompt.name));
  const show = (next: StatsSearch) =>
    navigate({
      to: '/dashboard/prompts/$',
      params: { _splat: prompt.name },
      replace: next.at === search.at,
      search: { ...next, view: 'stats' },
    });

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="text-ink-2">Calls that fetched or rendered this prompt with an API key</p>
        <div className="flex flex-wrap gap-2">
          <PeriodControls search={search} onChange={show} />
          <CsvMenu
            operation="getStatistics"
            tables="prompt"
            queryOf={() => ({ ...rangeOf(search, zone), status: search.status, prompt: prompt.name })}
          />
        </div>
      </div>
      <ActiveFilters search={search} onChange={show} />
      {stats.isPending && <StatsSkeleton />}
      {stats.isError && !stats.data && <Problem error={stats.error} onRetry={() => stats.refetch()} />}
      {stats.data && chart.data && chart.data.totals.calls === 0 && <NoCalls name={prompt.name} isFiltered={search.status !== undefined} />}
      {stats.data && chart.data && chart.data.totals.calls > 0 && (
        <Content name={prompt.name} stats={stats.data} chart={chart.data} search={search} onChange={show} />
      )}
    </>
  );
}

interface ContentProps {
  name: string;
  stats: Statistics;
  /** Statistics for the same period or, if `stats` covers one hour, for the day around that hour. */
  chart: Statistics;
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

function Content({ name, stats, chart, search, onChange }: ContentProps) {
  const { totals } = stats;
  const layers = layersOf(chart);
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
          </>
        }
      >
        <TimeChart
          title="Calls by version and label"
          stats={chart}
          layers={layers}
          columns={[...layers, { name: 'Errors', values: chart.series.map(({ errors }) => errors) }]}
          at={search.at}
          onOpen={(at) => onChange({ ...search, at })}
        />
      </MetricsCard>
      <ReadReleases name={name} releases={stats.releases ?? []} />
      <div className="grid gap-6 lg:grid-cols-2">
        <ByVersion stats={stats} colors={layers} />
        <div className="space-y-6">
          <ErrorCauses errors={stats.errors ?? []} />
          <ByStatus stats={stats} onFilter={(status) => onChange({ ...search, status })} />
        </div>
      </div>
    </div>
  );
}

function NoCalls({ name, isFiltered }: { name: string; isFiltered: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={ChartNoAxesColumn}
        title="No calls in this period"
        action={
          !isFiltered && (
            <Link to="/dashboard/prompts/$" params={{ _splat: name }} search={{ view: 'code' }} className={buttonClass('secondary')}>
              Show the code
            </Link>
          )
        }
      >
        {isFiltered ? 'No call returned this status.' : 'Your application’s calls appear here within seconds.'}
      </EmptyState>
    </Card>
  );
}
