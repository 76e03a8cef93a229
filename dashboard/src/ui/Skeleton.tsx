import { cx } from '../lib/cx.ts';

/** A placeholder for content that is loading. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cx('animate-pulse-soft rounded-sm bg-hover', className)} />;
}

/** Placeholder rows for a list that is loading, announced once to screen readers. */
export function Loading({ label = 'Loading', rows = 6, className }: { label?: string; rows?: number; className?: string }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <div key={row} className="flex items-center gap-3 py-2.5">
          <Skeleton className="size-5" />
          <Skeleton className={cx('h-4', widths[row % widths.length])} />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  );
}

const widths = ['w-2/5', 'w-1/3', 'w-1/2', 'w-1/4'];
