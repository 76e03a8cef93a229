import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';

export type BadgeTone = 'neutral' | 'accent' | 'danger' | 'warn';

export function Badge({ tone = 'neutral', className, children }: { tone?: BadgeTone; className?: string; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-sm px-1.5 font-medium text-2xs whitespace-nowrap tabular',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-hover text-ink-2',
  accent: 'bg-accent-soft text-accent-ink',
  danger: 'bg-danger-soft text-danger',
  warn: 'bg-warn-soft text-warn',
};

/** A label and the version it points at. `production` is what applications get, so it stands out. */
export function LabelBadge({ label, version }: { label: string; version?: number }) {
  return (
    <Badge tone={label === 'production' ? 'accent' : 'neutral'}>
      {label === 'production' && <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
      {label}
      {version !== undefined && <span className="font-normal">v{version}</span>}
    </Badge>
  );
}
