import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMs, formatNumber, plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { formatRate } from '../results/format.ts';
import { promptResultsQuery } from '../results/queries.ts';
import { formatCost } from '../runs/format.ts';
import { useTimeZone } from '../stats/time-zone.ts';

interface PresentResultsProps {
  prompt: Pick<Prompt, 'name'>;
  label: string;
  version: number;
}

/** Shows in one line what programs reported about the current version at the label. */
export function PresentResults({ prompt: { name }, label, version }: PresentResultsProps) {
  const zone = useTimeZone();
  const { data } = useQuery({ ...promptResultsQuery({ range: '7d', label }, zone, name), refetchInterval: false });
  if (!data) return null;
  const row = data.versions.find((each) => each.version === version);
  const facts = row && [
    plural(row.calls, 'call'),
    ...(row.errorRate ? [`${formatRate(row.errorRate.value)} errors`] : []),
    ...(row.durationMs.p95 === null ? [] : [`p95 ${formatMs(row.durationMs.p95)}`]),
    ...(row.costPerCall === null ? [] : [`${formatCost(row.costPerCall)} per call`]),
    ...row.scores.slice(0, 2).map(({ name: score, mean }) => `${score} ${mean === null ? '–' : formatNumber(mean)}`),
  ];
  return (
    <p className="text-ink-2">
      v{version} at {label} in the last 7 days: {facts?.join(', ') ?? 'no reported calls'}.{' '}
      <Link
        to="/dashboard/prompts/$"
        params={{ _splat: name }}
        search={{ view: 'results', range: '7d', label }}
        className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
      >
        Results of {label}
      </Link>
    </p>
  );
}
