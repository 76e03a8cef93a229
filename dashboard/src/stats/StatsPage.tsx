import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { formatAgo, formatMs, formatNumber, formatShare } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Card } from '../ui/Card.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { ByPrompt, ByRoute, ByStatus } from './Breakdown.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { type Interval, type Range, statsQuery } from './queries.ts';

const CallsChart = lazy(() => import('./CallsChart.tsx').then((module) => ({ default: module.CallsChart })));

const ranges = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const;

export function StatsPage() {
  const search = useSearch({ from: '/dashboard/' });
  const navigate = useNavigate();
  const range: Range = search.range ?? '24h';
  const interval: Interval = search.interval ?? (range === '24h' ? 'hour' : 'day');
  const stats = useQuery(statsQuery(range, interval));

  const show = (next: { range: Range; interval?: Interval }) =>
    navigate({
      to: '/dashboard',
      replace: true,
      search: { ...(next.range !== '24h' && { range: next.range }), ...(next.interval && { interval: next.interval }) },
    });

  return (
    <Page
      title="Statistics"
      description="Calls made with API keys in this workspace"
      actions={
        <>
          <Segmented
            label="Interval"
            value={interval}
            options={[
              { value: 'hour', label: 'Hour' },
              { value: 'day', label: 'Day', disabled: range === '24h' },
            ]}
            onChange={(value) => show({ range, interval: value })}
          />
          <Segmented label="Range" value={range} options={ranges} onChange={(value) => show({ range: value })} />
        </>
      }
    >
      {stats.isPending && <StatsSkeleton />}
      {stats.isError && !stats.data && <Problem error={stats.error} onRetry={() => stats.refetch()} />}
      {stats.data && <StatsContent stats={stats.data} />}
    </Page>
  );
}

function StatsContent({ stats }: { stats: Statistics }) {
  const { totals, durationMs, keyLastUsedAt } = stats;
  const { isOwn } = useWorkspace();
  const isNew = isOwn && totals.calls === 0 && keyLastUsedAt === null;
  return (
    <div className="space-y-6">
      {isNew && <FirstSteps />}
      <Card>
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-t-lg bg-line sm:grid-cols-3 lg:grid-cols-5">
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
        </dl>
        <div className="border-line border-t p-4 sm:p-5">
          <Suspense fallback={<Skeleton className="h-60 w-full" />}>
            <CallsChart stats={stats} />
          </Suspense>
        </div>
      </Card>
      <div className="grid gap-6 lg:grid-cols-2">
        <ByPrompt stats={stats} />
        <div className="space-y-6">
          <ByRoute stats={stats} />
          <ByStatus stats={stats} />
        </div>
      </div>
    </div>
  );
}

function Metric({ label, value, note, tone }: { label: string; value: string; note?: string; tone?: 'danger' | undefined }) {
  return (
    <div className="bg-surface px-4 py-3.5 last:max-lg:col-span-full sm:px-5 sm:last:max-lg:col-span-1">
      <dt className="text-ink-3 text-xs">{label}</dt>
      <dd className="mt-1 flex items-baseline gap-1.5">
        <span className={`font-semibold text-xl tracking-tight tabular ${tone === 'danger' ? 'text-danger' : ''}`}>{value}</span>
        {note && <span className="text-ink-3 text-xs tabular">{note}</span>}
      </dd>
    </div>
  );
}

function StatsSkeleton() {
  return (
    <div role="status" className="space-y-6">
      <span className="sr-only">Loading statistics</span>
      <Card className="p-5">
        <div className="grid grid-cols-2 gap-6 sm:grid-cols-5">
          {['calls', 'errors', 'p50', 'p95', 'key'].map((name) => (
            <Skeleton key={name} className="h-11" />
          ))}
        </div>
        <Skeleton className="mt-6 h-60 w-full" />
      </Card>
    </div>
  );
}
