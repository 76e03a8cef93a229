import { X } from 'lucide-react';
import type { PromptFilters } from './filter-search.ts';
import { describeFilters } from './filter-texts.ts';
import { clearFilters } from './filters.ts';
import type { Author } from './prompt-rows.ts';

interface FilterChipsProps {
  filters: PromptFilters;
  authors: Author[];
  onChange: (filters: PromptFilters) => void;
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ filters, authors, onChange }: FilterChipsProps) {
  const remove = (name: keyof PromptFilters) => {
    const { [name]: _removed, ...rest } = filters;
    onChange(rest);
  };
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-1.5">
      {describeFilters(filters, authors).map(({ name, text }) => (
        <li key={name} className="flex h-7 max-w-full items-center rounded-md bg-hover pl-2.5 text-ink-2 text-xs">
          <span dir="auto" className="truncate">
            {text}
          </span>
          <button
            type="button"
            aria-label={`Remove the filter ${text}`}
            className="flex size-7 shrink-0 items-center justify-center rounded-md text-ink-3 hover:text-ink"
            onClick={() => remove(name)}
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="h-7 rounded-md px-2 text-ink-3 text-xs hover:text-ink"
          onClick={() => onChange(clearFilters(filters))}
        >
          Clear all
        </button>
      </li>
    </ul>
  );
}
