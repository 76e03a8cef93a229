import { useQuery } from '@tanstack/react-query';
import type { Prompt } from '../lib/types.ts';
import type { StatsSearch } from '../stats/search.ts';
import { useTimeZone } from '../stats/time-zone.ts';
import { Select } from '../ui/Select.tsx';
import { promptResultsQuery } from './queries.ts';

interface ResultFiltersProps {
  prompt: Prompt;
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

/** Limits the results to a label and a model, which are kept in the URL. */
export function ResultFilters({ prompt, search, onChange }: ResultFiltersProps) {
  const zone = useTimeZone();
  const { label, model, ...period } = search;
  // The results without the filter for models are also read, so that the list still has all models when one is selected.
  const all = useQuery({
    ...promptResultsQuery({ ...period, ...(label !== undefined && { label }) }, zone, prompt.name),
    refetchInterval: false,
  });
  const models = (all.data?.models ?? []).map((each) => each.model).filter((name) => name !== null);
  const set = (change: { label?: string; model?: string }) => {
    const merged = Object.entries({ label, model, ...change }).filter(([, value]) => value !== undefined && value !== '');
    onChange({ ...period, ...Object.fromEntries(merged) });
  };
  return (
    <search aria-label="Results" className="mb-4 flex flex-wrap gap-2">
      <Choice name="Label" any="Any label" value={label} values={Object.keys(prompt.labels)} onChange={(value) => set({ label: value })} />
      <Choice name="Model" any="Any model" value={model} values={models} onChange={(value) => set({ model: value })} />
    </search>
  );
}

interface ChoiceProps {
  name: string;
  any: string;
  value: string | undefined;
  values: string[];
  onChange: (value: string) => void;
}

function Choice({ name, any, value, values, onChange }: ChoiceProps) {
  return (
    <div className="max-w-64">
      <Select aria-label={name} value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
        {value !== undefined && !values.includes(value) && <option value={value}>{value}</option>}
      </Select>
    </div>
  );
}
