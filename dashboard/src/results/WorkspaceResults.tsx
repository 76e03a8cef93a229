import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { formatMs, formatNumber } from '../lib/format.ts';
import type { WorkspaceResults as Results } from '../lib/types.ts';
import { formatCost } from '../runs/format.ts';
import { BreakdownTable, NumberCell, ShareBar } from '../stats/BreakdownTable.tsx';
import { Metric, MetricsCard, StatsSkeleton } from '../stats/Metrics.tsx';
import { chartSearchOf } from '../stats/period.ts';
import type { StatsSearch } from '../stats/search.ts';
import { useTimeZone } from '../stats/time-zone.ts';
import { buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { ByModel, SumCells, shareOf, sumColumns } from './Breakdowns.tsx';
import { dropTexts } from './dropped.ts';
import { describeUnpriced, formatRate, hasCost } from './format.ts';
import { workspaceResultsQuery } from './queries.ts';
import { ResultsChart } from './ResultsChart.tsx';

interface WorkspaceResultsProps {
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

/** Shows the cost of the model calls of all applications, by prompt and model, and the reports that were not counted. */
export function WorkspaceResults({ search, onChange }: WorkspaceResultsProps) {
  const zone = useTimeZone();
  const results = useQuery(workspaceResultsQuery(search, zone));
  const chart = useQuery(workspaceResultsQuery(chartSearchOf(search, zone), zone));
  if (results.isError && !results.data) return <Problem error={results.error} onRetry={() => results.refetch()} />;
  if (!results.data || !chart.data) return <StatsSkeleton />;
  if (chart.data.totals.calls === 0) {
    return (
      <div className="space-y-6">
        <Card>
          <EmptyState
            icon={ChartNoAxesColumn}
            title="No results in this period"
            action={
              <Link to="/dashboard/settings/connect" hash="results" className={buttonClass('primary')}>
                Send results
              </Link>
            }
          >
            Your applications can report the model calls that they make with prompts in this workspace: what they cost, how long they took
            and whether they failed. Inputs and outputs are never stored.
          </EmptyState>
        </Card>
        <Dropped dropped={results.data.dropped} />
      </div>
    );
  }
  return <Content results={results.data} chart={chart.data} search={search} onChange={onChange} />;
}

function Content({ results, chart, search, onChange }: WorkspaceResultsProps & { results: Results; chart: Results }) {
  const { totals, prompts, models, dropped } = results;
  return (
    <div className="space-y-6">
      <MetricsCard
        metrics={
          <>
            <Metric label="Cost" value={hasCost(totals) ? formatCost(totals.cost) : '–'} note={describeUnpriced(totals.unpriced)} />
            <Metric label="Calls" value={formatNumber(totals.calls)} />
            <Metric
              label="Errors"
              value={formatNumber(totals.errors)}
              note={totals.errorRate === null ? undefined : formatRate(totals.errorRate.value)}
              tone={totals.errors > 0 ? 'danger' : undefined}
            />
            <Metric label="Tokens" value={formatNumber(totals.inputTokens + totals.outputTokens)} />
            <Metric label="Median duration" value={formatMs(totals.durationMs.p50)} note="p50" />
            <Metric label="95th percentile" value={formatMs(totals.durationMs.p95)} note="p95" />
          </>
        }
      >
        <ResultsChart results={chart} at={search.at} onOpen={(at) => onChange({ ...search, at })} />
      </MetricsCard>
      <div className="grid gap-6 lg:grid-cols-2">
        <ByPrompt prompts={prompts} search={search} />
        <div className="space-y-6">
          <ByModel models={models} />
          <Dropped dropped={dropped} />
        </div>
      </div>
    </div>
  );
}

function ByPrompt({ prompts, search: { show: _show, member: _member, ...search } }: { prompts: Results['prompts']; search: StatsSearch }) {
  const most = shareOf(prompts);
  return (
    <BreakdownTable title="Prompts by cost" columns={sumColumns('Prompt')} empty="No calls in this period.">
      {prompts.map(({ promptId, name, ...sums }) => (
        <tr key={promptId} className="align-top">
          <td className="py-2 pr-3 pl-4">
            {name === null ? (
              <span className="text-ink-3">Deleted prompt</span>
            ) : (
              <Link
                to="/dashboard/prompts/$"
                params={{ _splat: name }}
                search={{ ...search, view: 'results' }}
                dir="auto"
                className="rounded-sm font-medium wrap-anywhere hover:underline"
              >
                {name}
              </Link>
            )}
            <ShareBar share={most(sums)} />
          </td>
          <SumCells sums={sums} />
        </tr>
      ))}
    </BreakdownTable>
  );
}

/** Shows the reports that were not counted, or nothing if everything was counted. */
function Dropped({ dropped }: { dropped: Results['dropped'] }) {
  if (dropped.length === 0) return null;
  return (
    <BreakdownTable title="Not counted" columns={['Reason', 'Reported']} empty="">
      {dropped.map(({ reason, count }) => (
        <tr key={reason} className="align-top">
          <td className="py-2 pr-3 pl-4">
            <span className="block">{dropTexts[reason].title}</span>
            <span className="block text-ink-3 text-xs">{dropTexts[reason].advice}</span>
          </td>
          <NumberCell value={count} />
        </tr>
      ))}
    </BreakdownTable>
  );
}
