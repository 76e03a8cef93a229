import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileText, Plus, SearchX, Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent, loadChunk } from '../lib/chunks.ts';
import { cx } from '../lib/cx.ts';
import { plural } from '../lib/format.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { FolderPath } from './FolderPath.tsx';
import type { PromptFilters } from './filter-search.ts';
import { clearFilters, isFiltered } from './filters.ts';
import { PromptList } from './PromptList.tsx';
import { PromptToolbar } from './PromptToolbar.tsx';
import { usePromptActions } from './use-prompt-actions.tsx';
import { type PromptRows, usePromptRows } from './use-prompt-rows.ts';
import { useSelection } from './use-selection.ts';

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
            <ExportButton />
            {canEdit && <ImportLink folder={filters.folder} />}
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
        {isEmpty && <NoPrompts />}
        {!list.error && !list.isPending && !isEmpty && rows.length === 0 && <NothingFound filters={filters} />}
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

function NoPrompts() {
  const { isOwn, role } = useWorkspace();
  if (!mayEdit({ role })) {
    return (
      <EmptyState icon={FileText} title="No prompts yet">
        Your role here is viewer. Prompts appear as soon as an editor writes some.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={FileText}
      title="No prompts yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <ImportLink folder={undefined} />
          <Link to="/dashboard/new" className={buttonClass('primary')}>
            <Plus aria-hidden className="size-4" />
            New prompt
          </Link>
        </div>
      }
    >
      {isOwn
        ? 'Write your first prompt here or import files, then fetch it from your application with your API key.'
        : 'Write the first prompt of this workspace, or import files.'}
    </EmptyState>
  );
}

function ExportButton() {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const { exportAll } = await loadChunk(() => import('./export.ts'));
    await exportAll();
    setBusy(false);
  };
  return (
    <Button kind="ghost" busy={busy} onClick={save} title="All prompts with their versions, labels and history">
      Export all
    </Button>
  );
}

function ImportLink({ folder }: { folder: string | undefined }) {
  return (
    <Link to="/dashboard/import" search={folder === undefined ? {} : { folder }} className={buttonClass('secondary')}>
      <Upload aria-hidden className="size-4" />
      Import
    </Link>
  );
}

function NothingFound({ filters }: { filters: PromptFilters }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No prompts found"
      action={
        isFiltered(filters) ? (
          <Link to="/dashboard/prompts" search={clearFilters(filters)} className={buttonClass('secondary')}>
            Clear the filters
          </Link>
        ) : (
          <Link to="/dashboard/prompts" search={{}} className={buttonClass('secondary')}>
            All prompts
          </Link>
        )
      }
    >
      {isFiltered(filters) ? 'Nothing matches these filters. The search covers names and descriptions.' : 'This folder holds no prompts.'}
    </EmptyState>
  );
}
