import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { Prompt, Version } from '../../lib/types.ts';
import { changesQuery } from '../../prompts/changes.ts';
import { historyQuery, versionQuery } from '../../prompts/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { inputClass } from '../../ui/Field.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Loading } from '../../ui/Skeleton.tsx';
import { findVersions } from './find-versions.ts';
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

/** The timeline of the prompt, with a comparison of any two versions. */
export function HistoryPane({ prompt, onReuse, onDeploy, onDelete }: HistoryPaneProps) {
  const search = useSearch({ from: '/dashboard/prompts/$' });
  const navigate = useNavigate();
  const history = useInfiniteQuery(historyQuery(prompt.name));
  const [text, setText] = useState('');
  const isSearching = text.trim() !== '';
  const found = useQuery({ ...changesQuery(prompt.name), enabled: isSearching });
  const shown = isSearching ? found : history;
  const loaded = history.data?.pages.flatMap(({ data }) => data) ?? [];
  const entries = isSearching ? findVersions(found.data?.changes ?? [], prompt, text) : loaded;
  const versions = versionsOf(prompt);
  const to = versions.find((version) => version === search.to) ?? prompt.latestVersion;
  const from = versions.find((version) => version === search.from) ?? previousOf(prompt, to);

  // When the user goes back from a comparison above the timeline, the page scrolls to the entry that the user left. The comparison above
  // the entry loads again and changes its height, so the page keeps scrolling to the entry until the user scrolls.
  const leftAt = useRef<number>(undefined);
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const entry = document.getElementById(`version-${leftAt.current}`);
    if (search.to !== undefined || !entry || !column.current) return;
    const observer = new ResizeObserver(() => setTimeout(() => entry.scrollIntoView({ block: 'center' })));
    observer.observe(column.current);
    const stop = () => observer.disconnect();
    const ending = new AbortController();
    for (const type of ['touchstart', 'wheel', 'keydown']) addEventListener(type, stop, { signal: ending.signal, once: true });
    return () => {
      stop();
      ending.abort();
    };
  }, [search.to]);

  const compare = (next: { from: number; to: number }, options: { replace: boolean; resetScroll: boolean }) =>
    navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { view: 'history', ...next }, ...options });
  const choose = (next: { from: number; to: number }) => compare(next, { replace: true, resetScroll: false });
  /**
   * Shows what a version changed. If the comparison is above the timeline instead of next to it, the page scrolls to the comparison, and
   * Back returns to the entry of the version.
   */
  const compareEntry = (version: number) => {
    const isBeside = matchMedia('(min-width: 64rem)').matches;
    leftAt.current = isBeside ? undefined : version;
    void compare({ from: previousOf(prompt, version), to: version }, { replace: isBeside, resetScroll: !isBeside });
  };
  const reuse = async (version: number) => onReuse(await queryClient.ensureQueryData(versionQuery(prompt.name, version)));

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <Card>
        <div className="flex items-center gap-3 px-4 pt-3 pb-1">
          <h2 className="font-semibold text-sm">Timeline</h2>
          <input
            type="search"
            aria-label="Find a version"
            placeholder="Find a version"
            className={cx(inputClass, 'ml-auto max-w-44')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {shown.isPending && <Loading rows={5} className="px-4 pb-3" />}
        {shown.isError && <Problem error={shown.error} onRetry={() => shown.refetch()} />}
        {isSearching && found.isSuccess && (
          <p role="status" className="px-4 pt-1 text-ink-3 text-xs">
            {entries.length === 0 ? 'No version has a matching message, author, label, number or date' : plural(entries.length, 'version')}
            {!found.data.isComplete && `, among the newest ${formatNumber(found.data.changes.length)} changes`}.
          </p>
        )}
        <ol className="px-4 pb-4">
          {entries.map((entry) => (
            <TimelineEntry
              key={entry.id}
              entry={entry}
              prompt={prompt}
              isCompared={entry.version === to && search.to !== undefined}
              onCompare={compareEntry}
              onReuse={reuse}
              onDeploy={onDeploy}
              onDelete={versions.length > 1 ? onDelete : undefined}
            />
          ))}
        </ol>
        {!isSearching && history.hasNextPage && (
          <div className="px-4 pb-4">
            <Button busy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </Card>
      <div ref={column} className="min-w-0 max-lg:order-first lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <h2 className="font-semibold text-sm">Compare</h2>
          <VersionSelect
            label="Older version"
            className="flex-1 basis-48"
            prompt={prompt}
            value={from}
            onChange={(value) => choose({ from: value, to })}
          />
          <span className="text-ink-3">with</span>
          <VersionSelect
            label="Newer version"
            className="flex-1 basis-48"
            prompt={prompt}
            value={to}
            onChange={(value) => choose({ from, to: value })}
          />
        </div>
        <VersionComparison prompt={prompt} from={from} to={to} />
      </div>
    </div>
  );
}
