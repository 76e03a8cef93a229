import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { formatNumber, plural } from '../lib/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { type Dependents, dependentsQuery, describeDependents, includedAt, judgedQuery } from './dependents.ts';
import { usageQuery } from './usage.ts';

const maxShown = 5;

/**
 * Shows who is affected when a prompt is deleted: how often it is called, the prompts that include it, and the prompts whose test cases use
 * it as a judge.
 */
export function Affected({ name }: { name: string }) {
  const usage = useQuery(usageQuery([name]));
  const query = useQuery(dependentsQuery(name));
  const judged = useQuery(judgedQuery(name));
  if (usage.isPending || query.isPending || judged.isPending) return <Skeleton className="h-10" />;
  const calls = usage.data?.get(name)?.callsLast24Hours;
  const { dependents = [], isComplete = true } = query.data ?? {};
  return (
    <div className="space-y-2">
      {calls !== undefined && <p>{calls === 0 ? 'Not called' : `Called ${plural(calls, 'time')}`} in the last 24 hours.</p>}
      <IncludedBy dependents={dependents} isComplete={isComplete} />
      <AffectedList
        text={`This prompt judges test cases of ${plural(judged.data?.length ?? 0, 'prompt')}, whose checks will fail.`}
        prompts={(judged.data ?? []).map(({ name: judgedName, cases }) => ({ name: judgedName, count: plural(cases, 'test case') }))}
      />
    </div>
  );
}

function IncludedBy({ dependents, isComplete }: Dependents) {
  return (
    <AffectedList
      text={`Included by ${describeDependents({ dependents, isComplete })}. These prompts will fail to render.`}
      prompts={dependents.map(({ name, via, callsLast24Hours }) => ({
        name,
        ...(via !== null && { note: `through ${via}` }),
        count: plural(callsLast24Hours, 'call'),
      }))}
    />
  );
}

function AffectedList({ text, prompts }: { text: string; prompts: { name: string; note?: string; count: string }[] }) {
  if (prompts.length === 0) return null;
  return (
    <div className="rounded-md bg-warn-soft px-3 py-2 text-warn">
      <p className="flex items-start gap-2 font-medium">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {text}
      </p>
      <ul className="mt-1.5 space-y-0.5">
        {prompts.slice(0, maxShown).map(({ name, note, count }) => (
          <li key={name} className="flex gap-3">
            <Link to="/dashboard/prompts/$" params={{ _splat: name }} className="min-w-0 truncate rounded-sm underline underline-offset-3">
              {name}
            </Link>
            {note !== undefined && <span className="min-w-0 shrink-3 truncate">{note}</span>}
            <span className="ml-auto shrink-0 tabular">{count}</span>
          </li>
        ))}
        {prompts.length > maxShown && <li>and {formatNumber(prompts.length - maxShown)} more</li>}
      </ul>
    </div>
  );
}

/** Shows who is affected when a label is removed: the prompts that include this one at the label. */
export function AffectedAt({ name, label }: { name: string; label: string }) {
  const query = useQuery(dependentsQuery(name));
  if (query.isPending) return <Skeleton className="h-10" />;
  const affected = includedAt(query.data ?? { dependents: [], isComplete: true }, [label]);
  return <IncludedBy {...affected} />;
}

/** Summarizes a deployment in one line: how often the prompt is called, and which prompts include it at one of the labels. */
export function IncludedAt({ name, labels }: { name: string; labels: string[] }) {
  const usage = useQuery(usageQuery([name]));
  const { data } = useQuery(dependentsQuery(name));
  const calls = usage.data?.get(name)?.callsLast24Hours ?? 0;
  const affected = data && includedAt(data, labels);
  const isIncluded = affected !== undefined && affected.dependents.length > 0;
  return (
    <p className="text-ink-2 empty:hidden">
      {calls > 0 && `Called ${plural(calls, 'time')} in the last 24 hours. `}
      {isIncluded && `Included by ${describeDependents(affected)}. These prompts change too.`}
    </p>
  );
}
