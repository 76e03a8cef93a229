import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { formatNumber, plural } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { dependentsQuery, judgedQuery } from './dependents.ts';
import { forEachLimited } from './for-each-limited.ts';
import { usageQuery } from './usage.ts';

const maxChecked = 100;
const maxShown = 5;

/** Shows which of several prompts are called or included by others, and therefore who is affected by an action on them. */
export function AffectedByMany({ names }: { names: string[] }) {
  const checked = names.slice(0, maxChecked);
  const usage = useQuery(usageQuery(checked));
  const included = useQuery({ queryKey: ['dependents', 'of', names], queryFn: () => findIncluded(checked, new Set(names)) });
  const judging = useQuery({ queryKey: ['dependents', 'judged', 'of', names], queryFn: () => findJudges(checked, new Set(names)) });
  if (usage.isPending || included.isPending || judging.isPending) return <Skeleton className="h-10" />;
  const calls = [...(usage.data?.values() ?? [])].reduce((sum, each) => sum + (each?.callsLast24Hours ?? 0), 0);
  const found = included.data ?? [];
  const judges = judging.data ?? [];
  return (
    <div className="space-y-2">
      <p>
        {calls === 0 ? 'Not called' : `Called ${plural(calls, 'time')}`} in the last 24 hours
        {names.length > maxChecked && `, counting only the first ${maxChecked} prompts`}.
      </p>
      <AffectedList
        text={`${found.length === 1 ? 'One of these prompts is' : `${formatNumber(found.length)} of these prompts are`} included by other prompts, which will fail to render.`}
        found={found}
      />
      <AffectedList
        text={`${judges.length === 1 ? 'One of these prompts judges' : `${formatNumber(judges.length)} of these prompts judge`} test cases of other prompts, whose checks will fail.`}
        found={judges}
      />
    </div>
  );
}

/** A prompt and the other prompts that depend on it. */
interface Found {
  name: string;
  others: string[];
}

function AffectedList({ text, found }: { text: string; found: Found[] }) {
  if (found.length === 0) return null;
  return (
    <div className="rounded-md bg-warn-soft px-3 py-2 text-warn">
      <p className="flex items-start gap-2 font-medium">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {text}
      </p>
      <ul className="mt-1.5 space-y-0.5">
        {found.slice(0, maxShown).map(({ name, others }) => (
          <li key={name} className="truncate">
            {name}: {others.join(', ')}
          </li>
        ))}
        {found.length > maxShown && <li>and {formatNumber(found.length - maxShown)} more</li>}
      </ul>
    </div>
  );
}

function findIncluded(names: string[], selected: Set<string>): Promise<Found[]> {
  return findOthers(names, selected, async (name) => (await queryClient.fetchQuery(dependentsQuery(name))).dependents);
}

function findJudges(names: string[], selected: Set<string>): Promise<Found[]> {
  return findOthers(names, selected, async (name) => (await queryClient.fetchQuery(judgedQuery(name))).data);
}

async function findOthers(
  names: string[],
  selected: Set<string>,
  fetchOthers: (name: string) => Promise<{ name: string }[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  await forEachLimited(names, async (name) => {
    const others = (await fetchOthers(name)).map((other) => other.name).filter((other) => !selected.has(other));
    if (others.length > 0) found.push({ name, others });
  });
  return found;
}
