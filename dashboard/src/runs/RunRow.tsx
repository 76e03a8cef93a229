import { Link } from '@tanstack/react-router';
import { cx } from '../lib/cx.ts';
import { formatAgo, formatDateTime, formatMs, formatNumber } from '../lib/format.ts';
import type { RunSummary } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { formatCost, titleOfSource } from './format.ts';

interface RunRowProps {
  promptName: string;
  run: RunSummary;
  isShown: boolean;
}

/** A row for a run, which opens it. */
export function RunRow({ promptName, run, isShown }: RunRowProps) {
  const { id, model, preview, createdAt, by, usage, durationMs, cost, error, finishReason } = run;
  const facts = [`${formatNumber(usage.inputTokens + usage.outputTokens)} tokens`, formatMs(durationMs)];
  return (
    <li>
      <Link
        to="/dashboard/prompts/$"
        params={{ _splat: promptName }}
        search={{ view: 'runs', run: id }}
        aria-current={isShown ? 'true' : undefined}
        className={cx('block space-y-1 px-4 py-2.5 -outline-offset-2 hover:bg-hover', isShown && 'bg-hover')}
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium" title={model}>
            {model}
          </span>
          <Badge>{titleOfSource(run)}</Badge>
          {error && (
            <Badge tone={error.code === 'canceled' ? 'neutral' : 'danger'}>{error.code === 'canceled' ? 'stopped' : 'failed'}</Badge>
          )}
        </span>
        <span dir="auto" className="line-clamp-2 text-ink-2 text-xs wrap-anywhere">
          {preview.trim() || error?.message || (finishReason === 'tool_calls' ? 'Tool calls' : 'No text')}
        </span>
        <span className="block truncate text-ink-3 text-xs tabular">
          <time dateTime={createdAt} title={formatDateTime(createdAt)}>
            {formatAgo(createdAt)}
          </time>
          {` · ${[...facts, ...(cost === null ? [] : [formatCost(cost)]), by.name].join(' · ')}`}
        </span>
      </Link>
    </li>
  );
}
