import { Link } from '@tanstack/react-router';
import { FileText, Plus, SearchX } from 'lucide-react';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import type { PromptFilters } from './filter-search.ts';
import { clearFilters, isFiltered } from './filters.ts';
import { ImportLink } from './ListActions.tsx';

/** The message that is shown in place of a list without rows. */
export function EmptyList({ isEmpty, filters }: { isEmpty: boolean; filters: PromptFilters }) {
  return isEmpty ? <NoPrompts /> : <NothingFound filters={filters} />;
}

function NoPrompts() {
  const { isOwn, role } = useWorkspace();
  if (!mayEdit({ role })) {
    return (
      <EmptyState icon={FileText} title="No prompts yet">
        Your role is viewer. Prompts appear here as soon as an editor saves one.
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
        ? 'Write your first prompt or import files. Then fetch the prompt from your application with your API key.'
        : 'Write the first prompt of this workspace, or import files.'}
    </EmptyState>
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
      {describe(filters)}
    </EmptyState>
  );
}

function describe(filters: PromptFilters): string {
  const { favorites, search } = filters;
  if (favorites && !isFiltered({ ...filters, favorites: undefined }))
    return 'You have no favorites here. Click the star of a prompt to add one.';
  if (search !== undefined) return 'Nothing matches these filters. The search covers names, descriptions, tags and the text of prompts.';
  return isFiltered(filters) ? 'Nothing matches these filters.' : 'This folder is empty.';
}
