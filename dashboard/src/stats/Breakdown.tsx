import { Link } from '@tanstack/react-router';
import { formatNumber, formatShare } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { Badge, LabelBadge } from '../ui/Badge.tsx';
import { BreakdownTable, NumberCell, ShareBar } from './BreakdownTable.tsx';
import type { StatsSearch } from './search.ts';

/** The calls by prompt. Each prompt links to its statistics for the same period. */
export function ByPrompt({ stats: { byPrompt }, search: { member: _, ...search } }: { stats: Statistics; search: StatsSearch }) {
  const most = Math.max(1, ...byPrompt.map(({ calls }) => calls));
  return (
    <BreakdownTable title="By prompt" columns={['Prompt', 'Calls', 'Errors']} empty="No prompts were fetched in this period.">
      {byPrompt.map(({ promptId, name, calls, errors, versions }) => (
        <tr key={promptId} className="align-top">
          <td className="py-2.5 pr-3 pl-4">
            {name === null ? (
              <span className="text-ink-3">Deleted prompt</span>
            ) : (
              <Link
                to="/dashboard/prompts/$"
                params={{ _splat: name }}
                search={{ ...search, view: 'stats' }}
                dir="auto"
                className="rounded-sm font-medium wrap-anywhere hover:underline"
              >
                {name}
              </Link>
            )}
            <ShareBar share={calls / most} />
            <div className="mt-1.5 flex flex-wrap gap-1">
              {versions.slice(0, 4).map(({ version, label, calls: part }) => (
                <span key={`${version} ${label}`} className="flex items-center gap-1 text-2xs text-ink-3 tabular">
                  {label === null ? <Badge>v{version}</Badge> : <LabelBadge label={label} version={version} />}
                  {formatNumber(part)}
                </span>
              ))}
            </div>
          </td>
          <NumberCell value={calls} />
          <NumberCell value={errors} danger />
        </tr>
      ))}
    </BreakdownTable>
  );
}

export function ByRoute({ stats: { byRoute } }: { stats: Statistics }) {
  const most = Math.max(1, ...byRoute.map(({ calls }) => calls));
  return (
    <BreakdownTable title="By route" columns={['Route', 'Calls', 'Errors']} empty="No calls in this period.">
      {byRoute.map(({ route, calls, errors }) => (
        <tr key={route} className="align-top">
          <td className="py-2 pr-3 pl-4">
            <code className="font-mono text-xs break-all">{route}</code>
            <ShareBar share={calls / most} />
          </td>
          <NumberCell value={calls} />
          <NumberCell value={errors} danger />
        </tr>
      ))}
    </BreakdownTable>
  );
}

/** The calls by status. Selecting a status limits the page to calls with that status. */
export function ByStatus({ stats: { byStatus, totals }, onFilter }: { stats: Statistics; onFilter: (status: number) => void }) {
  return (
    <BreakdownTable title="By status" columns={['Status', 'Calls', 'Share']} empty="No calls in this period.">
      {byStatus.map(({ status, calls }) => (
        <tr key={status}>
          <td className="py-2 pr-3 pl-4">
            <button
              type="button"
              title={`Only calls with status ${status}`}
              className="rounded-sm hover:opacity-80"
              onClick={() => onFilter(status)}
            >
              <Badge tone={status >= 400 ? 'danger' : 'accent'}>{status}</Badge>
            </button>
          </td>
          <NumberCell value={calls} />
          <td className="py-2 pr-4 text-right text-ink-2 tabular">{formatShare(calls, totals.calls)}</td>
        </tr>
      ))}
    </BreakdownTable>
  );
}
