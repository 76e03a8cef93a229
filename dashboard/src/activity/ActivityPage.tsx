import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { ActivityFilters } from './ActivityFilters.tsx';
import { ActivityRow } from './ActivityRow.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { activityQuery } from './queries.ts';
import { type ActivitySearch, parseActivitySearch } from './search.ts';

/** Shows the actions in the workspace, and the people who took them. */
export function ActivityPage() {
  const search = useSearch({ from: '/dashboard/settings/activity' });
  const navigate = useNavigate();
  const filters = parseActivitySearch(search);
  const activity = useInfiniteQuery(activityQuery(filters));
  const entries = activity.data?.pages.flatMap(({ data }) => data);
  const filter = (next: ActivitySearch) =>
    navigate({ to: '/dashboard/settings/activity', search: next, replace: true, resetScroll: false });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Section
      title="Activity"
      description="Everything that happened in this workspace, newest first."
      actions={<ExportMenu search={filters} />}
      {...(activity.hasNextPage && {
        footer: (
          <Button busy={activity.isFetchingNextPage} onClick={() => activity.fetchNextPage()}>
            {entries?.length === 0 ? 'Search earlier entries' : 'Show more'}
          </Button>
        ),
      })}
    >
      <ActivityFilters search={filters} onChange={filter} />
      {activity.isPending && <Loading label="Loading activity" rows={6} />}
      {activity.isError && !entries && <Problem error={activity.error} onRetry={() => activity.refetch()} />}
      {entries?.length === 0 && (
        <EmptyState
          icon={History}
          title={isFiltered ? 'No matching entries' : 'Nothing has happened yet'}
          {...(isFiltered && { action: <Button onClick={() => filter({})}>Clear filters</Button> })}
        >
          {describeEmpty(isFiltered, activity.hasNextPage)}
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <ul aria-label="Activity" className="-mx-4 -mb-4 divide-y divide-line border-line border-t sm:-mx-6 sm:-mb-6">
          {entries.map((entry) => (
            <ActivityRow key={entry.id} entry={entry} onPerson={(by) => filter({ ...filters, by })} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function describeEmpty(isFiltered: boolean, hasMore: boolean): string {
  if (hasMore) return 'None of the newest entries match. Earlier entries have not been searched yet.';
  return isFiltered ? 'Change or clear the filters to see other entries.' : 'Changes to prompts, labels, members and settings appear here.';
}
