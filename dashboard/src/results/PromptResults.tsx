import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { formatMs, formatNumber } from '../lib/format.ts';
import type { Prompt, PromptResults as Results } from '../lib/types.ts';
import { ReportedReleases } from '../releases/PeriodReleases.tsx';
import { formatCost } from '../runs/format.ts';
import { CsvMenu } from '../stats/CsvMenu.tsx';
import { Metric, MetricsCard, StatsSkeleton } from '../stats/Metrics.tsx';
import { ActiveFilters, PeriodControls } from '../stats/PeriodControls.tsx';
import { chartSearchOf } from '../stats/period.ts';
import { rangeOf } from '../stats/queries.ts';
import { parseStatsSearch, type StatsSearch } from '../stats/search.ts';
import { useTimeZone } from '../stats/time-zone.ts';
import { Problem } from '../ui/Problem.tsx';
import { ByModel, ErrorTypes } from './Breakdowns.tsx';
import { Comments } from './Comments.tsx';
import { NoComparison, SinceDeployment } from './Comparison.tsx';
import { ResultFilters } from './Filters.tsx';
import { describeUnpriced, formatRate, hasCost } from './format.ts';
import { NoMatches, NoResults } from './NoResults.tsx';
import { isEmpty, promptResultsQuery } from './queries.ts';
import { ResultsChart } from './ResultsChart.tsx';
import { VersionTable } from './VersionTable.tsx';

/** Shows the results that programs reported for this prompt, by version. */
export function PromptResults({ prompt }: { prompt: Prompt }) {
  const { member: _member, show: _show, status: _status, ...search } = parseStatsSearch(useSearch({ from: '/dashboard/prompts/$' }));
  const zone = useTimeZone();
  const navigate = useNavigate();
  const results = useQuery(promptResultsQuery(search, zone, prompt.name));
  const chart = useQuery(promptResultsQuery(chartSearchOf(search, zone), zone, prompt.name));
  const show = (next: StatsSearch) =>
    navigate({
      to: '/dashboard/prompts/$',
      params: { _splat: prompt.name },
      replace: next.at === search.at,
      search: { ...next, view: 'results' },
    });
  const { label, model, ...period } = search;
  const isFiltered = label !== undefined || model !== undefined;
  const isShown = results.data !== undefined && chart.data !== undefined;
  const isBlank = isShown && isEmpty(chart.data);

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="text-ink-2">Cost, duration and ratings of your applications’ model calls with this prompt</p>
        <div className="flex flex-wrap gap-2">
          <PeriodControls search={search} onChange={show} />
          <CsvMenu
            operation="getPromptResults"
            tables="promptResults"
            path={{ name: prompt.name }}
            queryOf={() => ({ ...rangeOf(search, zone), label, model })}
          />
        </div>
      </div>
      {(!isBlank || isFiltered) && <ResultFilters prompt={prompt} search={search} onChange={show} />}
      <ActiveFilters search={search} onChange={show} />
      {results.isPending && <StatsSkeleton />}
      {results.isError && !results.data && <Problem error={results.error} onRetry={() => results.refetch()} />}
      {isBlank && isFiltered && <NoMatches onClear={() => show(period)} />}
      {isBlank && !isFiltered && <NoResults prompt={prompt} onWiden={search.range === '30d' ? undefined : () => show({ range: '30d' })} />}
      {isShown && !isBlank && <Content prompt={prompt} results={results.data} chart={chart.data} search={search} onChange={show} />}
    </>
  );
}

interface ContentProps {
  prompt: Prompt;
  results: Results;
  /** Results for the same period or, if `results` covers one hour, for the day around that hour. */
  chart: Results;
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

function Content({ prompt, results, chart, search, onChange }: ContentProps) {
  const { totals, comparison, versions, models, releases } = results;
  const { label } = search;
  const deployments = label === undefined ? chart.deployments : chart.deployments.filter((each) => each.label === label);
  return (
    <div className="space-y-6">
      <MetricsCard
        metrics={
          <>
            <Metric label="Calls" value={formatNumber(totals.calls)} />
            <Metric
              label="Errors"
              value={formatNumber(totals.errors)}
              note={totals.errorRate === null ? undefined : formatRate(totals.errorRate.value)}
              tone={totals.errors > 0 ? 'danger' : undefined}
            />
            <Metric label="Median duration" value={formatMs(totals.durationMs.p50)} note="p50" />
            <Metric label="95th percentile" value={formatMs(totals.durationMs.p95)} note="p95" />
            <Metric label="Tokens" value={formatNumber(totals.inputTokens + totals.outputTokens)} />
            <Metric label="Cost" value={hasCost(totals) ? formatCost(totals.cost) : '–'} note={describeUnpriced(totals.unpriced)} />
          </>
        }
      >
        <ResultsChart results={chart} deployments={deployments} at={search.at} onOpen={(at) => onChange({ ...search, at })} />
      </MetricsCard>
      <div className="grid gap-6 lg:grid-cols-2">
        {comparison ? <SinceDeployment comparison={comparison} /> : <NoComparison label={label ?? productionLabel} />}
        <div className="space-y-6">
          <ByModel models={models} onFilter={(model) => onChange({ ...search, model })} />
          <ErrorTypes errorTypes={totals.errorTypes} errors={totals.errors} />
        </div>
      </div>
      <ReportedReleases name={prompt.name} releases={releases} />
      <VersionTable prompt={prompt} versions={versions} releases={releases} />
      <Comments prompt={prompt} />
    </div>
  );
}
