import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileText, Plus, SearchX } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { plural } from '../lib/format.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { FolderPath } from './FolderPath.tsx';
import { type PromptFilters, toRows } from './filters.ts';
import { PromptList } from './PromptList.tsx';
import { PromptToolbar } from './PromptToolbar.tsx';
import { promptsQuery, searchQuery } from './queries.ts';

export function PromptsPage() {
  const filters = useSearch({ from: '/dashboard/prompts/' });
  const navigate = useNavigate();
  const all = useQuery(promptsQuery);
  const searchesServer = all.data?.isComplete === false && (filters.search ?? '') !== '';
  const settledSearch = useDebounced(filters.search ?? '', 200);
  const found = useQuery({ ...searchQuery(settledSearch), enabled: searchesServer, placeholderData: keepPreviousData });
  const prompts = searchesServer ? found.data : all.data?.prompts;
  const deferred = useDeferredValue(filters);
  const rows = useMemo(() => toRows(prompts ?? [], deferred), [prompts, deferred]);

  const create = () => navigate({ to: '/dashboard/new', search: filters.folder === undefined ? {} : { folder: filters.folder } });
  const change = (next: PromptFilters) => navigate({ to: '/dashboard/prompts', search: next, replace: true });
  const canEdit = mayEdit(useWorkspace());
  useShortcut({ key: 'n' }, create, canEdit);
  const isEmpty = all.data?.prompts.length === 0;

  return (
    <Page
      title="Prompts"
      {...(filters.folder !== undefined && { documentTitle: `${filters.folder} · Prompts` })}
      actions={
        !isEmpty &&
        canEdit && (
          <Button kind="primary" onClick={create} title="New prompt (n)">
            <Plus aria-hidden className="size-4" />
            New prompt
          </Button>
        )
      }
    >
      {!isEmpty && <PromptToolbar filters={filters} prompts={all.data?.prompts ?? []} onChange={change} />}
      {filters.folder !== undefined && <FolderPath folder={filters.folder} filters={filters} />}
      <Card className="overflow-hidden">
        {all.isPending && <Loading label="Loading prompts" rows={8} className="divide-y divide-line px-4" />}
        {all.isError && <Problem error={all.error} onRetry={() => all.refetch()} />}
        {isEmpty && <NoPrompts />}
        {all.data && !isEmpty && rows.length === 0 && <NothingFound filters={filters} />}
        {rows.length > 0 && <PromptList rows={rows} filters={filters} />}
      </Card>
      {all.data && rows.length > 0 && (
        <p className="mt-3 text-ink-3 text-xs" aria-live="polite">
          {summary(rows.length, all.data.prompts.length, all.data.isComplete, filters)}
        </p>
      )}
    </Page>
  );
}

function summary(shown: number, total: number, isComplete: boolean, { search, tag, label }: PromptFilters): string {
  if (search !== undefined || tag !== undefined || label !== undefined) return `${plural(shown, 'prompt')} found`;
  return isComplete ? plural(total, 'prompt') : `The first ${plural(total, 'prompt')} by name. Search to find the others.`;
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
        <Link to="/dashboard/new" className={buttonClass('primary')}>
          <Plus aria-hidden className="size-4" />
          New prompt
        </Link>
      }
    >
      {isOwn
        ? 'Write your first prompt here, then fetch it from your application with your API key.'
        : 'Write the first prompt of this workspace.'}
    </EmptyState>
  );
}

function NothingFound({ filters }: { filters: PromptFilters }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No prompts found"
      action={
        <Link
          to="/dashboard/prompts"
          search={filters.folder === undefined ? {} : { folder: filters.folder }}
          className={buttonClass('secondary')}
        >
          Clear filters
        </Link>
      }
    >
      The search covers names, descriptions and tags.
    </EmptyState>
  );
}
