import type { ReactNode } from 'react';
import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** A card with a few totals, and with details below them. */
export function MetricsCard({ metrics, children }: { metrics: ReactNode; children: ReactNode }) {
  return (
    <Card>
      <dl className="flex flex-wrap gap-px overflow-hidden rounded-t-lg bg-line">{metrics}</dl>
      <div className="border-line border-t p-4 sm:p-5">{children}</div>
    </Card>
  );
}

interface MetricProps {
  label: string;
  value: string;
  note?: string | undefined;
  tone?: 'danger' | undefined;
}

export function Metric({ label, value, note, tone }: MetricProps) {
  return (
    <div className="min-w-36 flex-1 bg-surface px-4 py-3.5 sm:px-5">
      <dt className="text-ink-3 text-xs">{label}</dt>
      <dd className="mt-1 flex items-baseline gap-1.5">
        <span className={`font-semibold text-xl tracking-tight tabular ${tone === 'danger' ? 'text-danger' : ''}`}>{value}</span>
        {note && <span className="text-ink-3 text-xs tabular">{note}</span>}
      </dd>
    </div>
  );
}

export function StatsSkeleton() {
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
