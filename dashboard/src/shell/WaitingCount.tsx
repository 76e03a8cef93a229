import { useQuery } from '@tanstack/react-query';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { waitingCountQuery } from '../proposals/queries.ts';

/** Shows the number of proposals that wait for the user's review. */
export function WaitingCount() {
  const { data: count = 0 } = useQuery({ ...waitingCountQuery, enabled: mayEdit(useWorkspace()) });
  if (count === 0) return null;
  return (
    <span className="ml-auto flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 font-semibold text-2xs text-on-accent">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}
