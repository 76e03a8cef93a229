import { Search, X } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { inputClass } from '../ui/Field.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import type { PromptFilters } from './filter-search.ts';
import { isFiltered } from './filters.ts';
import type { PromptRows } from './prompt-rows.ts';

const FilterPanel = lazyComponent(async () => (await import('./FilterPanel.tsx')).FilterPanel);
const FilterChips = lazyComponent(async () => (await import('./FilterChips.tsx')).FilterChips);
const ListButtons = lazyComponent(async () => (await import('./ListButtons.tsx')).ListButtons);

interface PromptToolbarProps {
  filters: PromptFilters;
  list: PromptRows;
  onChange: (filters: PromptFilters) => void;
}

/** The search, the filters and the saved views of the list. */
export function PromptToolbar({ filters, list, onChange }: PromptToolbarProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <search className="mb-3 block space-y-2">
      <div className="flex flex-wrap gap-2">
        <SearchField filters={filters} onChange={onChange} />
        {/* The fallback is as wide as the loaded buttons. */}
        <Suspense fallback={<div className="h-8 w-full sm:w-80" />}>
          <ListButtons filters={filters} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} onChange={onChange} />
        </Suspense>
      </div>
      <Suspense>
        {isOpen && <FilterPanel id="filters" filters={filters} list={list} onChange={onChange} />}
        {isFiltered({ ...filters, search: undefined, favorites: undefined }) && (
          <FilterChips filters={filters} authors={list.authors} onChange={onChange} />
        )}
      </Suspense>
    </search>
  );
}

function SearchField({ filters, onChange }: Pick<PromptToolbarProps, 'filters' | 'onChange'>) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut({ key: '/' }, () => input.current?.focus());
  const change = (text: string) => {
    const { search: _previous, ...rest } = filters;
    onChange(text === '' ? rest : { ...rest, search: text });
  };
  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
      <input
        ref={input}
        type="search"
        aria-label="Search prompts"
        placeholder="Search prompts"
        maxLength={200}
        className={`${inputClass} pr-9 pl-8 [&::-webkit-search-cancel-button]:hidden`}
        value={filters.search ?? ''}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') focusFirstRow(event);
          if (event.key === 'Enter') openFirstRow(event);
          if (event.key === 'Escape') change('');
        }}
      />
      <span className="absolute top-1.5 right-2">
        {filters.search ? (
          <button
            type="button"
            aria-label="Clear search"
            className="flex size-5 items-center justify-center rounded-sm text-ink-3 hover:text-ink"
            onClick={() => change('')}
          >
            <X aria-hidden className="size-4" />
          </button>
        ) : (
          <span aria-hidden>
            <Kbd>/</Kbd>
          </span>
        )}
      </span>
    </div>
  );
}

const firstRow = () => document.querySelector<HTMLElement>('[data-prompt-row="0"]');

function focusFirstRow(event: { preventDefault(): void }): void {
  event.preventDefault();
  firstRow()?.focus();
}

function openFirstRow(event: { preventDefault(): void }): void {
  event.preventDefault();
  firstRow()?.click();
}
