import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatAgo, formatMs, formatNumber, formatShare } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Breakdowns, CsvMenu, FirstSteps, RunStats, TimeChart, WorkspaceResults } from './lazy.tsx';
import { Metric, MetricsCard, StatsSkeleton } from './Metrics.tsx';
import { memberName } from './members.ts';
import { ActiveFilters, PeriodControls } from './PeriodControls.tsx';
import { chartSearchOf } from './period.ts';
import { hasNoCalls, rangeOf, statsQuery } from './queries.ts';
import type { StatsSearch } from './search.ts';
import { useTimeZone } from './time-zone.ts';

/** The calls of the workspace. Before the first call, the page explains how to make one. */
export function StatsPage() {
  const search = useSearch({ from: '/dashboard/' });
  const navigate = useNavigate();
  const zone = useTimeZone();
  const stats = useQuery(statsQuery(search, zone));
  const chart = useQuery(statsQuery(chartSearchOf(search, zone), zone));
  const { isOwn } = useWorkspace();
  const mayBeNew = isOwn && stats.data !== undefined && hasNoCalls(stats.data);
  // A key that was just reset has no calls, but the previous key may have been used, so the last 30 days are read too.
  const month = useQuery({ ...statsQuery({ range: '30d' }, zone), enabled: mayBeNew });
  const isNew = mayBeNew && month.data?.totals.calls === 0;
  const isWaiting = mayBeNew && month.isPending;
  const firstSteps = useFirstSteps(isNew);
  const show = (next: StatsSearch) => navigate({ to: '/dashboard', replace: next.at === search.at, search: next });

  if (isNew && search.show === undefined) {
    return (
      <Page title="Statistics" description="Calls made with your API key" actions={<SubjectControl search={search} onChange={show} />}>
        <FirstSteps hasCall={false} />
      </Page>
    );
  }
  return (
    <Page
      title="Statistics"
      description={descriptions[search.show ?? 'calls']}
      actions={stats.data && !isWaiting && <Controls search={search} onChange={show} />}
    >
      {firstSteps.isShown && (
        <div className="mb-6">
          <FirstSteps hasCall onClose={firstSteps.close} />
        </div>
      )}
      <ActiveFilters search={search} onChange={show} memberName={findMemberName(stats.data, search)} />
      {stats.isPending && <StatsSkeleton />}
      {stats.isError && !stats.data && <Problem error={stats.error} onRetry={() => stats.refetch()} />}
      {isWaiting && <StatsSkeleton />}
      {search.show === 'runs' && !isWaiting && <RunStats search={search} onChange={show} />}
      {search.show === 'results' && !isWaiting && <WorkspaceResults search={search} onChange={show} />}
      {stats.data && search.show === undefined && !isWaiting && (
        <StatsContent stats={stats.data} chart={chart.data ?? stats.data} search={search} onChange={show} />
      )}
    </Page>
  );
}

const descriptions = {
  calls: 'Calls made with API keys in this workspace',
  runs: 'Model runs by programs and people',
  results: 'Model calls that applications reported',
};

interface ControlsProps {
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

/** Controls for the subject and the period of the page, and for the download of its statistics. */
function Controls({ search, onChange }: ControlsProps) {
  const zone = useTimeZone();
  const { show, status, member } = search;
  const queryOf = () => ({ ...rangeOf(search, zone), ...(show !== 'results' && { member }), ...(show === undefined && { status }) });
  return (
    <>
      <SubjectControl search={search} onChange={onChange} />
      <PeriodControls search={search} onChange={onChange} />
      <CsvMenu {...csvOf[show ?? 'calls']} queryOf={queryOf} />
    </>
  );
}

const csvOf = {
  calls: { operation: 'getStatistics', tables: 'calls' },
  runs: { operation: 'getRunStatistics', tables: 'runs' },
  results: { operation: 'getResults', tables: 'results' },
} as const;

/** Switches between calls, model runs and results. Only calls have a status, and results have no member. */
function SubjectControl({ search: { show, status: _, member, ...period }, onChange }: ControlsProps) {
  return (
    <Segmented<'calls' | 'runs' | 'results'>
      label="Statistics of"
      value={show ?? 'calls'}
      options={[
        { value: 'calls', label: 'Calls' },
        { value: 'runs', label: 'Model runs' },
        { value: 'results', label: 'Results' },
      ]}
      onChange={(value) => onChange({ ...period, ...(value !== 'results' && { member }), ...(value !== 'calls' && { show: value }) })}
    />
  );
}

function findMemberName(stats: Statistics | undefined, { member }: StatsSearch): string | undefined {
  const found = stats?.byMember.find(({ userId }) => userId === member);
  return found && memberName(found);
}

/** Returns whether to show the first steps. After the first call, the completed steps stay until the user closes them. */
function useFirstSteps(isNew: boolean) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (isNew) setIsShown(true);
  }, [isNew]);
  return { isShown, close: () => setIsShown(false) };
}

interface StatsContentProps {
  stats: Statistics;
  /** Statistics for the same period or, if `stats` covers one hour, for the day around that hour. */
  chart: Statistics;
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

function StatsContent({ stats, chart, search, onChange }: StatsContentProps) {
  const { totals, durationMs, keyLastUsedAt } = stats;
  const errors = chart.series.map((point) => point.errors);
  const calls = chart.series.map((point) => point.calls);
  const { listed } = useWorkspace();
  const isTeam = listed?.kind === 'team';
  const isOfMember = search.member !== undefined;
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
            {!isOfMember && <Metric label="Median duration" value={formatMs(durationMs.p50)} note="p50" />}
            {!isOfMember && <Metric label="95th percentile" value={formatMs(durationMs.p95)} note="p95" />}
            {!isOfMember && !isTeam && <Metric label="Key last used" value={keyLastUsedAt ? formatAgo(keyLastUsedAt) : 'Never'} />}
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
      <Breakdowns stats={stats} search={search} isTeam={isTeam} onChange={onChange} />
    </div>
  );
}
