import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { queryClient } from '../../lib/query-client.ts';
import type { Prompt, Version } from '../../lib/types.ts';
import { historyQuery, versionQuery } from '../../prompts/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Loading } from '../../ui/Skeleton.tsx';
import { TimelineEntry } from './TimelineEntry.tsx';
import { VersionComparison } from './VersionComparison.tsx';
import { VersionSelect } from './VersionSelect.tsx';
import { previousOf, versionsOf } from './version-numbers.ts';

interface HistoryPaneProps {
  prompt: Prompt;
  onReuse: (version: Version) => void;
  onDeploy: (version: number) => void;
  onDelete: (version: number) => void;
}

/** The timeline of the prompt, and a comparison of any two versions. */
export function HistoryPane({ prompt, onReuse, onDeploy, onDelete }: HistoryPaneProps) {
  const search = useSearch({ from: '/dashboard/prompts/$' });
  const navigate = useNavigate();
  const history = useInfiniteQuery(historyQuery(prompt.name));
  const entries = history.data?.pages.flatMap(({ data }) => data) ?? [];
  const versions = versionsOf(prompt);
  const to = versions.find((version) => version === search.to) ?? prompt.latestVersion;
  const from = versions.find((version) => version === search.from) ?? previousOf(prompt, to);

  const compare = (next: { from: number; to: number }) =>
    navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { view: 'history', ...next }, replace: true });
  const reuse = async (version: number) => onReuse(await queryClient.ensureQueryData(versionQuery(prompt.name, version)));

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <Card>
        <h2 className="px-4 pt-3 pb-1 font-semibold text-sm">Timeline</h2>
        {history.isPending && <Loading rows={5} className="px-4 pb-3" />}
        {history.isError && <Problem error={history.error} onRetry={() => history.refetch()} />}
        <ol className="px-4 pb-4">
          {entries.map((entry) => (
            <TimelineEntry
              key={entry.id}
              entry={entry}
              prompt={prompt}
              onCompare={(version) => compare({ from: previousOf(prompt, version), to: version })}
              onReuse={reuse}
              onDeploy={onDeploy}
              onDelete={versions.length > 1 ? onDelete : undefined}
            />
          ))}
        </ol>
        {history.hasNextPage && (
          <div className="px-4 pb-4">
            <Button busy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </Card>
      <div className="min-w-0 max-lg:order-first">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <h2 className="font-semibold text-sm">Compare</h2>
          <VersionSelect label="Older version" prompt={prompt} value={from} onChange={(value) => compare({ from: value, to })} />
          <span className="text-ink-3">with</span>
          <VersionSelect label="Newer version" prompt={prompt} value={to} onChange={(value) => compare({ from, to: value })} />
        </div>
        <VersionComparison prompt={prompt} from={from} to={to} />
      </div>
    </div>
  );
}
