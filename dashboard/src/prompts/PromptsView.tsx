import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
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
import type { PromptFilters, Sort } from './filter-search.ts';
import { isFiltered } from './filters.ts';
import { PromptToolbar } from './PromptToolbar.tsx';
import type { PromptRows } from './prompt-rows.ts';
import { usePromptActions } from './use-prompt-actions.tsx';
import { useSelection } from './use-selection.ts';

const EmptyList = lazyComponent(async () => (await import('./EmptyList.tsx')).EmptyList);
const FolderPath = lazyComponent(async () => (await import('./FolderPath.tsx')).FolderPath);
const ListActions = lazyComponent(async () => (await import('./ListActions.tsx')).ListActions);
const MoveFolderDialog = lazyComponent(async () => (await import('./MoveFolderDialog.tsx')).MoveFolderDialog);
const PromptList = lazyComponent(loadList);
const SelectionBar = lazyComponent(async () => (await import('./SelectionBar.tsx')).SelectionBar);

// The rows are shown only after the prompts have arrived, so their code is loaded at the same time.
loadList().catch(() => undefined);

async function loadList() {
  return (await import('./PromptList.tsx')).PromptList;
}

/** The list of prompts with its filters and actions, however the rows are loaded. */
export function PromptsView({ filters, list }: { filters: PromptFilters; list: PromptRows }) {
  const navigate = useNavigate();
  const { rows, isEmpty } = list;
  const selection = useSelection(list, filters);
  const { run, dialog } = usePromptActions(selection.clear);
  const [movedFolder, setMovedFolder] = useState<string>();

  const create = () => navigate({ to: '/dashboard/new', search: filters.folder === undefined ? {} : { folder: filters.folder } });
  const change = (next: PromptFilters) => navigate({ to: '/dashboard/prompts', search: next, replace: true });
  const sort = (next: Sort) => {
    const { sort: _previous, ...rest } = filters;
    return change(next === 'name' ? rest : { ...rest, sort: next });
  };
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
            {/* The fallback is as wide as the loaded content, so that nothing moves on a phone. */}
            <Suspense fallback={<span className="h-8 w-44" />}>
              <ListActions folder={filters.folder} canEdit={canEdit} />
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
      {!isEmpty && <PromptToolbar filters={filters} list={list} onChange={change} />}
      {filters.folder !== undefined && (
        // The fallback is as high as the loaded content.
        <Suspense fallback={<div className="mb-3 h-5" />}>
          <FolderPath folder={filters.folder} filters={filters} />
        </Suspense>
      )}
      <Card className={cx('overflow-hidden', list.isOutdated && 'opacity-60')}>
        {list.error ? <Problem error={list.error} onRetry={list.retry} /> : null}
        {!list.error && list.isPending && <Loading label="Loading prompts" rows={8} className="divide-y divide-line px-4" />}
        <Suspense>
          {(isEmpty || (!list.error && !list.isPending && rows.length === 0)) && <EmptyList isEmpty={isEmpty} filters={filters} />}
        </Suspense>
        {rows.length > 0 && (
          <Suspense fallback={<Loading label="Loading prompts" rows={8} className="divide-y divide-line px-4" />}>
            <PromptList
              list={list}
              filters={filters}
              selection={selection}
              onAction={(action, prompt) => run(action, [prompt])}
              onMoveFolder={setMovedFolder}
              onSort={sort}
            />
          </Suspense>
        )}
      </Card>
      {rows.length > 0 && (
        <p className="mt-3 text-ink-3 text-xs" aria-live="polite">
          {summary(list, filters)}
        </p>
      )}
      <Suspense>
        {selection.prompts.length > 0 && (
          <SelectionBar selection={selection} list={list} filters={filters} onAction={(action) => run(action, selection.prompts)} />
        )}
      </Suspense>
      {dialog}
      <Suspense>
        {movedFolder !== undefined && <MoveFolderDialog folder={movedFolder} onClose={() => setMovedFolder(undefined)} />}
      </Suspense>
    </Page>
  );
}

function summary({ count, rows, isOutdated, isLoadingMore }: PromptRows, filters: PromptFilters): string {
  if (isOutdated) return 'Searching…';
  if (isLoadingMore) return 'Loading more…';
  if (count === undefined) return `The first ${plural(rows.length, 'prompt')} found. Scroll for more.`;
  return isFiltered(filters) ? `${plural(count, 'prompt')} found` : plural(count, 'prompt');
}
