import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { formatNumber, plural } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { dependentsQuery } from './dependents.ts';
import { forEachLimited } from './for-each-limited.ts';
import { usageQuery } from './usage.ts';

const maxChecked = 100;
const maxShown = 5;

/** The same for several prompts: those that are called or included by prompts that are not among them. */
export function AffectedByMany({ names }: { names: string[] }) {
  const checked = names.slice(0, maxChecked);
  const usage = useQuery(usageQuery(checked));
  const included = useQuery({ queryKey: ['dependents', 'of', names], queryFn: () => findIncluded(checked, new Set(names)) });
  if (usage.isPending || included.isPending) return <Skeleton className="h-10" />;
  const calls = [...(usage.data?.values() ?? [])].reduce((sum, each) => sum + (each?.callsLast24Hours ?? 0), 0);
  const found = included.data ?? [];
  return (
    <div className="space-y-2">
      <p>
        {calls === 0 ? 'Not called' : `Called ${plural(calls, 'time')}`} in the last 24 hours
        {names.length > maxChecked && ` (the first ${maxChecked})`}.
      </p>
      {found.length > 0 && (
        <div className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          <p className="flex items-start gap-2 font-medium">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {found.length === 1 ? 'One of them is' : `${formatNumber(found.length)} of them are`} included by other prompts, which can then
            no longer be rendered.
          </p>
          <ul className="mt-1.5 space-y-0.5">
            {found.slice(0, maxShown).map(({ name, dependents }) => (
              <li key={name} className="truncate">
                {name}: {dependents.join(', ')}
              </li>
            ))}
            {found.length > maxShown && <li>and {formatNumber(found.length - maxShown)} more</li>}
          </ul>
        </div>
      )}
    </div>
  );
}

async function findIncluded(names: string[], selected: Set<string>): Promise<{ name: string; dependents: string[] }[]> {
  const found: { name: string; dependents: string[] }[] = [];
  await forEachLimited(names, async (name) => {
    const { dependents } = await queryClient.fetchQuery(dependentsQuery(name));
    const others = dependents.map((dependent) => dependent.name).filter((dependent) => !selected.has(dependent));
    if (others.length > 0) found.push({ name, dependents: others });
  });
  return found;
}
