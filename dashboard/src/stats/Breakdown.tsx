import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber, formatShare } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { Badge, LabelBadge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';

export function ByPrompt({ stats: { byPrompt } }: { stats: Statistics }) {
  const most = Math.max(1, ...byPrompt.map(({ calls }) => calls));
  return (
    <Table title="By prompt" columns={['Prompt', 'Calls', 'Errors']} empty="No prompts were fetched in this period.">
      {byPrompt.slice(0, 12).map(({ promptId, name, calls, errors, versions }) => (
        <tr key={promptId} className="align-top">
          <td className="py-2.5 pr-3 pl-4">
            {name === null ? (
              <span className="text-ink-3">Deleted prompt</span>
            ) : (
              <Link
                to="/dashboard/prompts/$"
                params={{ _splat: name }}
                dir="auto"
                className="rounded-sm font-medium break-all hover:underline"
              >
                {name}
              </Link>
            )}
            <Bar share={calls / most} />
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
    </Table>
  );
}

export function ByRoute({ stats: { byRoute } }: { stats: Statistics }) {
  const most = Math.max(1, ...byRoute.map(({ calls }) => calls));
  return (
    <Table title="By route" columns={['Route', 'Calls', 'Errors']} empty="No calls in this period.">
      {byRoute.map(({ route, calls, errors }) => (
        <tr key={route} className="align-top">
          <td className="py-2 pr-3 pl-4">
            <code className="font-mono text-xs break-all">{route}</code>
            <Bar share={calls / most} />
          </td>
          <NumberCell value={calls} />
          <NumberCell value={errors} danger />
        </tr>
      ))}
    </Table>
  );
}

export function ByStatus({ stats: { byStatus, totals } }: { stats: Statistics }) {
  return (
    <Table title="By status" columns={['Status', 'Calls', 'Share']} empty="No calls in this period.">
      {byStatus.map(({ status, calls }) => (
        <tr key={status}>
          <td className="py-2 pr-3 pl-4">
            <Badge tone={status >= 400 ? 'danger' : 'accent'}>{status}</Badge>
          </td>
          <NumberCell value={calls} />
          <td className="py-2 pr-4 text-right text-ink-2 tabular">{formatShare(calls, totals.calls)}</td>
        </tr>
      ))}
    </Table>
  );
}

interface TableProps {
  title: string;
  columns: [string, string, string];
  empty: string;
  children: ReactNode[];
}

function Table({ title, columns: [first, second, third], empty, children }: TableProps) {
  return (
    <Card className="overflow-hidden">
      <h2 className="px-4 pt-3.5 pb-1 font-semibold text-sm">{title}</h2>
      {children.length === 0 ? (
        <p className="px-4 pt-1 pb-5 text-ink-3">{empty}</p>
      ) : (
        <table className="w-full">
          <thead>
            <tr className="border-line border-b text-left text-ink-3 text-xs">
              <th scope="col" className="py-1.5 pr-3 pl-4 font-normal">
                {first}
              </th>
              <th scope="col" className="w-20 py-1.5 pr-3 text-right font-normal">
                {second}
              </th>
              <th scope="col" className="w-20 py-1.5 pr-4 text-right font-normal">
                {third}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">{children}</tbody>
        </table>
      )}
    </Card>
  );
}

function NumberCell({ value, danger = false }: { value: number; danger?: boolean }) {
  const tone = danger ? (value > 0 ? 'text-danger' : 'text-ink-3') : 'text-ink';
  return <td className={`py-2 text-right tabular ${danger ? 'pr-4' : 'pr-3'} ${tone}`}>{formatNumber(value)}</td>;
}

function Bar({ share }: { share: number }) {
  return (
    <div aria-hidden className="mt-1.5 h-1 rounded-full bg-hover">
      <div className="h-1 rounded-full bg-accent opacity-70" style={{ width: `${Math.max(1, share * 100)}%` }} />
    </div>
  );
}
