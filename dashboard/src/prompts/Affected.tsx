import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { formatNumber, plural } from '../lib/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { dependentsQuery, describeDependents, includedAt } from './dependents.ts';
import { usageQuery } from './usage.ts';

const maxShown = 5;

/** Who notices when a prompt is gone: how often it is called, and the prompts that include it. */
export function Affected({ name }: { name: string }) {
  const usage = useQuery(usageQuery([name]));
  const query = useQuery(dependentsQuery(name));
  if (usage.isPending || query.isPending) return <Skeleton className="h-10" />;
  const calls = usage.data?.get(name)?.callsLast24Hours;
  const { dependents = [], isComplete = true } = query.data ?? {};
  const rest = dependents.length - maxShown;
  return (
    <div className="space-y-2">
      {calls !== undefined && <p>{calls === 0 ? 'Not called' : `Called ${plural(calls, 'time')}`} in the last 24 hours.</p>}
      {dependents.length > 0 && (
        <div className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          <p className="flex items-start gap-2 font-medium">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            Included by {describeDependents({ dependents, isComplete })}. They can then no longer be rendered.
          </p>
          <ul className="mt-1.5 space-y-0.5">
            {dependents.slice(0, maxShown).map((dependent) => (
              <li key={dependent.id} className="flex gap-3">
                <Link
                  to="/dashboard/prompts/$"
                  params={{ _splat: dependent.name }}
                  className="min-w-0 truncate rounded-sm underline underline-offset-3"
                >
                  {dependent.name}
                </Link>
                {dependent.via !== null && <span className="min-w-0 shrink-3 truncate">through {dependent.via}</span>}
                <span className="ml-auto shrink-0 tabular">{plural(dependent.callsLast24Hours, 'call')}</span>
              </li>
            ))}
            {rest > 0 && <li>and {formatNumber(rest)} more</li>}
          </ul>
        </div>
      )}
    </div>
  );
}

/** One line for a deployment: how often the prompt is called, and who includes it at one of the labels. */
export function IncludedAt({ name, labels }: { name: string; labels: string[] }) {
  const usage = useQuery(usageQuery([name]));
  const { data } = useQuery(dependentsQuery(name));
  const calls = usage.data?.get(name)?.callsLast24Hours ?? 0;
  const affected = data && includedAt(data, labels);
  const isIncluded = affected !== undefined && affected.dependents.length > 0;
  return (
    <p className="text-ink-2 empty:hidden">
      {calls > 0 && `Called ${plural(calls, 'time')} in the last 24 hours. `}
      {isIncluded && `Included by ${describeDependents(affected)}: they change with it.`}
    </p>
  );
}
