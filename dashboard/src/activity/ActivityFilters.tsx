import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type ActivityKind, activityKinds } from '../../../src/contract/activity-types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { membersQuery } from '../members/queries.ts';
import { useKnownPrompts } from '../shell/use-known-prompts.ts';
import { Button } from '../ui/Button.tsx';
import { inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { type ActivitySearch, isDay } from './search.ts';

const kindNames: Record<ActivityKind, string> = {
  prompts: 'Prompts',
  labels: 'Labels',
  gates: 'Gates and overrides',
  members: 'Members',
  keys: 'API keys',
  settings: 'Settings',
  webhooks: 'Webhooks',
  models: 'Models',
  proposals: 'Proposals',
  comments: 'Comments',
};

interface ActivityFiltersProps {
  search: ActivitySearch;
  onChange: (search: ActivitySearch) => void;
}

/** The filters of the activity, which are kept in the URL. */
export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const { by, type, from, to } = search;
  const { data } = useQuery(membersQuery);
  const members = data?.members ?? [];
  const set = (change: Partial<Record<keyof ActivitySearch, string>>) => {
    const merged = Object.entries({ ...search, ...change }).filter(([, value]) => value !== '');
    onChange(Object.fromEntries(merged));
  };
  return (
    <search aria-label="Activity" className="mb-4 grid grid-cols-2 items-end gap-3 sm:grid-cols-6">
      <Labeled label="Person" className="sm:col-span-2">
        {(id) => (
          <Select id={id} className="w-full" value={by ?? ''} onChange={(event) => set({ by: event.target.value })}>
            <option value="">Everyone</option>
            {members.map(({ userId, name }) => (
              <option key={userId} value={userId}>
                {name}
              </option>
            ))}
            {by !== undefined && !members.some(({ userId }) => userId === by) && <option value={by}>Former member</option>}
          </Select>
        )}
      </Labeled>
      <Labeled label="Kind" className="sm:col-span-2">
        {(id) => (
          <Select id={id} className="w-full" value={type ?? ''} onChange={(event) => set({ type: event.target.value })}>
            <option value="">Everything</option>
            {activityKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindNames[kind]}
              </option>
            ))}
          </Select>
        )}
      </Labeled>
      <PromptFilter value={search.prompt ?? ''} onChange={(prompt) => set({ prompt })} />
      <Labeled label="From" className="sm:col-span-2">
        {(id) => <DayInput id={id} value={from} max={to} onChange={(day) => set({ from: day })} />}
      </Labeled>
      <Labeled label="To" className="sm:col-span-2">
        {(id) => <DayInput id={id} value={to} min={from} onChange={(day) => set({ to: day })} />}
      </Labeled>
      {Object.keys(search).length > 0 && (
        <Button kind="ghost" className="col-span-2" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

function Labeled({ label, className, children }: { label: string; className: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className="mb-1 block text-ink-2 text-xs">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

/** Filters the activity by the name of a prompt, once the user stops typing. */
function PromptFilter({ value, onChange }: { value: string; onChange: (prompt: string) => void }) {
  const [text, setText] = useState(value);
  const [isFocused, setFocused] = useState(false);
  const settled = useDebounced(text.trim(), 400);
  // The last text that was written to the URL. When that text comes back from the URL, it must not replace newer input.
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the user types changes the filter.
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    onChange(settled);
  }, [settled]);
  return (
    <Labeled label="Prompt" className="col-span-2">
      {(id) => (
        <>
          <input
            id={id}
            type="search"
            dir="auto"
            list={`${id}-names`}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            placeholder="Any prompt"
            className={inputClass}
            value={text}
            onFocus={() => setFocused(true)}
            onChange={(event) => setText(event.target.value)}
          />
          <datalist id={`${id}-names`}>{isFocused && <PromptNames text={text} />}</datalist>
        </>
      )}
    </Labeled>
  );
}

const maxSuggestions = 200;

function PromptNames({ text }: { text: string }) {
  const prompts = useKnownPrompts(text);
  return prompts.slice(0, maxSuggestions).map(({ id, name }) => <option key={id} value={name} />);
}

interface DayInputProps {
  id: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

/** A date input. While the user types a year, the value is a date in the distant past, which is not used as a filter. */
function DayInput({ value = '', onChange, ...input }: DayInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const handle = (day: string) => {
    setText(day);
    if (day === '' || isDay(day)) onChange(day);
  };
  return <input type="date" className={inputClass} value={text} onChange={(event) => handle(event.target.value)} {...input} />;
}
