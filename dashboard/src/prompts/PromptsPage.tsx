import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { cx } from '../lib/cx.ts';
import { plural } from '../lib/format.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { FolderPath } from './FolderPath.tsx';
import type { PromptFilters } from './filter-search.ts';
import { isFiltered } from './filters.ts';
import { PromptList } from './PromptList.tsx';
import { PromptToolbar } from './PromptToolbar.tsx';
import { usePromptActions } from './use-prompt-actions.tsx';
import { type PromptRows, usePromptRows } from './use-prompt-rows.ts';
import { useSelection } from './use-selection.ts';

const ExportButton = lazyComponent(async () => (await import('./ListActions.tsx')).ExportButton);
const ImportLink = lazyComponent(async () => (await import('./ListActions.tsx')).ImportLink);
const NoPrompts = lazyComponent(async () => (await import('./EmptyLists.tsx')).NoPrompts);
const NothingFound = lazyComponent(async () => (await import('./EmptyLists.tsx')).NothingFound);
const SelectionBar = lazyComponent(async () => (await import('./SelectionBar.tsx')).SelectionBar);

export function PromptsPage() {
  const filters = useSearch({ from: '/dashboard/prompts/' });
  const navigate = useNavigate();
  const list = usePromptRows(filters);
  const { rows, isEmpty } = list;
  const selection = useSelection(rows, filters);
  const { run, dialog } = usePromptActions(selection.clear);

  const create = () => navigate({ to: '/dashboard/new', search: filters.folder === undefined ? {} : { folder: filters.folder } });
  const change = (next: PromptFilters) => navigate({ to: '/dashboard/prompts', search: next, replace: true });
  const canEdit = mayEdit(useWorkspace());
  useShortcut({ key: 'n' }, create, canEdit);
  useShortcut({ key: 'escape' }, selection.clear, selection.prompts.length > 0);

  return (
    <Page
      title="Prompts"
      {...(filters.folder !== undefined && { documentTitle: `${filters.folder} · Prompts` })}
      actions={
        !isEmpty && (
          <>
            {/* As wide as the loaded content, so that nothing moves on a phone. */}
            <Suspense fallback={<span className="h-8 w-44" />}>
              <ExportButton />
              {canEdit && <ImportLink folder={filters.folder} />}
            </Suspense>
            {canEdit && (
              <Button kind="primary" onClick={create} title="New prompt (n)">
                <Plus aria-hidden className="size-4" />
                New prompt
              </Button>
            )}
          </>
        )
      }
    >
      {!isEmpty && <PromptToolbar filters={filters} tags={list.tags} labels={list.labels} onChange={change} />}
      {filters.folder !== undefined && <FolderPath folder={filters.folder} filters={filters} />}
      <Card className={cx('overflow-hidden', list.isOutdated && 'opacity-60')}>
        {list.error ? <Problem error={list.error} onRetry={list.retry} /> : null}
        {!list.error && list.isPending && <Loading label="Loading prompts" rows={8} className="divide-y divide-line px-4" />}
        <Suspense>
          {isEmpty && <NoPrompts />}
          {!list.error && !list.isPending && !isEmpty && rows.length === 0 && <NothingFound filters={filters} />}
        </Suspense>
        {rows.length > 0 && (
          <PromptList
            rows={rows}
            filters={filters}
            selection={selection}
            onAction={(action, prompt) => run(action, [prompt])}
            onEndReached={list.loadMore}
          />
        )}
      </Card>
      {rows.length > 0 && (
        <p className="mt-3 text-ink-3 text-xs" aria-live="polite">
          {summary(list, filters)}
        </p>
      )}
      <Suspense>
        {selection.prompts.length > 0 && (
          <SelectionBar count={selection.prompts.length} onAction={(action) => run(action, selection.prompts)} onClear={selection.clear} />
        )}
      </Suspense>
      {dialog}
    </Page>
  );
}

function summary({ count, rows, isOutdated, isLoadingMore }: PromptRows, filters: PromptFilters): string {
  if (isOutdated) return 'Searching…';
  if (isLoadingMore) return 'Loading more…';
  if (count === undefined) return `The first ${plural(rows.length, 'prompt')} found. Scroll for more.`;
  return isFiltered(filters) ? `${plural(count, 'prompt')} found` : plural(count, 'prompt');
}
