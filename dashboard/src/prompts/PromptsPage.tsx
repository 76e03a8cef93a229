import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { type PromptFilters, parseFilters } from './filter-search.ts';
import { PromptsView } from './PromptsView.tsx';
import { maxLoadedPrompts, overviewQuery } from './queries.ts';
import { useLoadedRows } from './use-loaded-rows.ts';

const LargePrompts = lazyComponent(async () => (await import('./LargePrompts.tsx')).LargePrompts);

/** Shows the prompts. In a workspace with up to 2,000 prompts, all of them are loaded and filtered in the browser. */
export function PromptsPage() {
  // The URL also names the workspace, which is not a filter.
  const filters = useSearch({ from: '/dashboard/prompts/', select: parseFilters, structuralSharing: true });
  const { data } = useQuery(overviewQuery());
  if (data === undefined || data.prompts <= maxLoadedPrompts) return <LoadedPrompts filters={filters} />;
  return (
    <Suspense>
      <LargePrompts filters={filters} />
    </Suspense>
  );
}

function LoadedPrompts({ filters }: { filters: PromptFilters }) {
  return <PromptsView filters={filters} list={useLoadedRows(filters)} />;
}
