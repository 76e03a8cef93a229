import { type ReactNode, useId } from 'react';
import { formatDate } from '../lib/format.ts';
import { inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { PromptFilters } from './filter-search.ts';
import { changedTexts, deployedTexts, sortTexts } from './filter-texts.ts';
import { isByUsage } from './filters.ts';
import type { PromptRows } from './prompt-rows.ts';

interface FilterPanelProps {
  id: string;
  filters: PromptFilters;
  list: PromptRows;
  onChange: (filters: PromptFilters) => void;
}

/** All filters and the sort order of the list. The column headers offer the sort order only on wide screens. */
export function FilterPanel({ id, filters, list, onChange }: FilterPanelProps) {
  const set = (name: keyof PromptFilters, value: string | boolean | undefined) => {
    const { [name]: _previous, ...rest } = filters;
    // The value is one of the options of this filter.
    onChange((value === undefined || value === '' ? rest : { ...rest, [name]: value }) as PromptFilters);
  };
  const isDate = filters.changed !== undefined && !Object.hasOwn(changedTexts, filters.changed);
  const sorts = Object.entries(sortTexts).filter(([sort]) => !list.isLarge || !isByUsage(sort as PromptFilters['sort']));
  return (
    <div
      id={id}
      className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-surface p-3 sm:grid-cols-3 lg:grid-cols-[repeat(5,minmax(0,1fr))]"
    >
      <Choice label="Tag" value={filters.tag} none="All tags" options={toOptions(list.tags)} onChange={(value) => set('tag', value)} />
      <Choice
        label="Label"
        value={filters.label}
        none="All labels"
        options={toOptions(list.labels)}
        onChange={(value) => set('label', value)}
      />
      <Choice
        label="Author"
        value={filters.author}
        none="Everyone"
        options={list.authors.map(({ userId, name }) => [userId, name])}
        onChange={(value) => set('author', value)}
      />
      <Choice
        label="Deployment"
        value={filters.deployed === undefined ? undefined : String(filters.deployed)}
        none="All"
        options={Object.entries(deployedTexts)}
        onChange={(value) => set('deployed', value === '' ? undefined : value === 'true')}
      />
      <Choice
        label="Changed since"
        value={filters.changed}
        none="Any time"
        options={[
          ...Object.entries(changedTexts),
          ...(isDate ? [[filters.changed ?? '', formatDate(`${filters.changed}T00:00:00`)] as [string, string]] : []),
        ]}
        onChange={(value) => set('changed', value)}
      >
        <input
          type="date"
          aria-label="Changed since this date"
          className={`${inputClass} mt-1.5`}
          value={isDate ? filters.changed : ''}
          onChange={(event) => set('changed', event.target.value)}
        />
      </Choice>
      <div className="sm:hidden">
        <Choice
          label="Sort"
          value={filters.sort}
          none="Name"
          options={sorts.filter(([sort]) => sort !== 'name')}
          onChange={(value) => set('sort', value)}
        />
      </div>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  /** The text of the option that removes the filter. */
  none: string;
  options: [value: string, text: string][];
  onChange: (value: string) => void;
  children?: ReactNode;
}

function Choice({ label, value = '', none, options, onChange, children }: ChoiceProps) {
  const id = useId();
  // The URL or a saved view may name something that no longer exists.
  const isMissing = value !== '' && !options.some(([option]) => option === value);
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block truncate text-ink-3 text-xs">
        {label}
      </label>
      <Select id={id} className="w-full" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{none}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
        {isMissing && <option value={value}>{value}</option>}
      </Select>
      {children}
    </div>
  );
}

function toOptions(names: string[]): [string, string][] {
  return names.map((name) => [name, name]);
}
