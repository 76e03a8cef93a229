import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { useShortcut } from '../lib/use-shortcut.ts';
import { inputClass } from '../ui/Field.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { Select } from '../ui/Select.tsx';
import type { PromptFilters, Sort } from './filter-search.ts';

interface PromptToolbarProps {
  filters: PromptFilters;
  tags: string[];
  labels: string[];
  onChange: (filters: PromptFilters) => void;
}

export function PromptToolbar({ filters, tags, labels, onChange }: PromptToolbarProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut({ key: '/' }, () => input.current?.focus());
  const change = (name: 'search' | 'tag' | 'label', value: string) => {
    const { [name]: _previous, ...rest } = filters;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  const changeSort = (sort: Sort) => {
    const { sort: _previous, ...rest } = filters;
    onChange(sort === 'name' ? rest : { ...rest, sort });
  };

  return (
    <search className="mb-3 flex flex-wrap gap-2">
      <div className="relative min-w-0 flex-1 basis-64">
        <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
        <input
          ref={input}
          type="search"
          aria-label="Search prompts"
          placeholder="Search prompts"
          className={`${inputClass} pr-9 pl-8 [&::-webkit-search-cancel-button]:hidden`}
          value={filters.search ?? ''}
          onChange={(event) => change('search', event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') focusFirstRow(event);
            if (event.key === 'Enter') openFirstRow(event);
            if (event.key === 'Escape') change('search', '');
          }}
        />
        <span className="absolute top-1.5 right-2">
          {filters.search ? (
            <button
              type="button"
              aria-label="Clear search"
              className="flex size-5 items-center justify-center rounded-sm text-ink-3 hover:text-ink"
              onClick={() => change('search', '')}
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
      <div className="flex w-full gap-2 sm:w-auto">
        {tags.length > 0 && (
          <Select
            className="min-w-0 flex-1"
            aria-label="Tag"
            value={filters.tag ?? ''}
            onChange={(event) => change('tag', event.target.value)}
          >
            <option value="">All tags</option>
            {tags.map((tag) => (
              <option key={tag}>{tag}</option>
            ))}
          </Select>
        )}
        {labels.length > 1 && (
          <Select
            className="min-w-0 flex-1"
            aria-label="Label"
            value={filters.label ?? ''}
            onChange={(event) => change('label', event.target.value)}
          >
            <option value="">All labels</option>
            {labels.map((label) => (
              <option key={label}>{label}</option>
            ))}
          </Select>
        )}
        <Select
          className="min-w-0 flex-1"
          aria-label="Sort"
          value={filters.sort ?? 'name'}
          onChange={(event) => changeSort(event.target.value === 'name' ? 'name' : '-updatedAt')}
        >
          <option value="name">By name</option>
          <option value="-updatedAt">Last changed</option>
        </Select>
      </div>
    </search>
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
