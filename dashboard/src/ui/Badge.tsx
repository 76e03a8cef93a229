import { Lock, Split } from 'lucide-react';
import type { ReactNode } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { cx } from '../lib/cx.ts';
import { describeArms, type LabelRelease } from '../releases/release.ts';

type BadgeTone = 'neutral' | 'accent' | 'danger' | 'warn';

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-sm px-1.5 font-medium text-2xs whitespace-nowrap tabular',
        tones[tone],
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

interface LabelBadgeProps {
  label: string;
  version?: number;
  isProtected?: boolean;
  /** The release that divides the callers of the label. */
  release?: LabelRelease | undefined;
  /** Whether a narrow window has no space for the text of the release. */
  isNarrow?: boolean;
}

/** A label and the version it points at. `production` stands out, because applications get this label by default. */
export function LabelBadge({ label, version, isProtected = false, release, isNarrow = false }: LabelBadgeProps) {
  return (
    <Badge tone={label === productionLabel ? 'accent' : 'neutral'}>
      {label === productionLabel && <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
      <span className="truncate">{label}</span>
      {isProtected && <Lock role="img" aria-label="protected" className="size-3 shrink-0" />}
      {version !== undefined && <span className="font-normal">v{version}</span>}
      {release && <ReleaseSign release={release} isNarrow={isNarrow} />}
    </Badge>
  );
}

/** Says that a release gives other versions to some of the callers. */
function ReleaseSign({ release: { arms, state }, isNarrow }: { release: LabelRelease; isNarrow: boolean }) {
  const text = describeArms(arms);
  const isPaused = state === 'paused';
  return (
    <span className="flex min-w-0 items-center gap-0.5 font-normal" title={`Release${isPaused ? ' (paused)' : ''}: ${text}`}>
      <Split role="img" aria-label={isPaused ? 'paused release' : 'release'} className="size-3 shrink-0" />
      <span className={cx('truncate', isNarrow && 'max-xl:sr-only')}>{arms.length > 1 ? `${arms.length} arms` : text}</span>
    </span>
  );
}

export function TagBadge({ tag }: { tag: string }) {
  return (
    <span dir="auto" title={tag} className="max-w-full truncate rounded-sm border border-line px-1.5 text-2xs text-ink-3 leading-4.5">
      {tag}
    </span>
  );
}
