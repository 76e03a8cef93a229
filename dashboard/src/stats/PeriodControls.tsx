import { X } from 'lucide-react';
import { Segmented } from '../ui/Segmented.tsx';
import { chartSearchOf, intervalOf, isDay } from './period.ts';
import type { Interval, Range, StatsSearch } from './search.ts';
import { localZone, setTimeZone, useTimeZone, utc } from './time-zone.ts';
import { formatMoment } from './times.ts';

const ranges = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const satisfies { value: Range; label: string }[];

interface PeriodControlsProps {
  search: StatsSearch;
  onChange: (search: StatsSearch) => void;
}

/** Selects a range and its interval. */
export function PeriodControls({ search, onChange }: PeriodControlsProps) {
  const zone = useTimeZone();
  const { at: _at, interval: _interval, range: _range, ...kept } = search;
  const rangeSearch = (range: Range) => (range === '24h' ? {} : { range });
  return (
    <>
      {localZone !== utc && (
        <Segmented
          label="Time zone"
          value={zone}
          options={[
            { value: localZone, label: 'Local time' },
            { value: utc, label: 'UTC' },
          ]}
          onChange={setTimeZone}
        />
      )}
      <Segmented<Interval>
        label="Interval"
        value={intervalOf(search)}
        options={[
          { value: 'hour', label: 'Hour' },
          { value: 'day', label: 'Day', disabled: search.range === undefined || search.at !== undefined },
        ]}
        onChange={(interval) => onChange({ ...search, interval })}
      />
      <Segmented<Range>
        label="Range"
        value={search.range ?? '24h'}
        options={ranges}
        onChange={(range) => onChange({ ...kept, ...rangeSearch(range) })}
      />
    </>
  );
}

/** Lists the filters of the page, each with a button that removes it. */
export function ActiveFilters({ search, onChange, memberName }: PeriodControlsProps & { memberName?: string | undefined }) {
  const zone = useTimeZone();
  const { at, status, member } = search;
  const without = (name: keyof StatsSearch) => onChange({ ...search, [name]: undefined });
  if (at === undefined && status === undefined && member === undefined) return null;
  const range = ranges.find(({ value }) => value === (search.range ?? '24h'))?.label;
  return (
    <ul aria-label="Filters" className="mb-4 flex flex-wrap gap-2">
      {at !== undefined && !isDay(at) && (
        <Filter text={formatMoment(at, zone)} remove="Show the whole day" onRemove={() => onChange(chartSearchOf(search, zone))} />
      )}
      {at !== undefined && isDay(at) && <Filter text={formatMoment(at, zone)} remove={`Back to ${range}`} onRemove={() => without('at')} />}
      {status !== undefined && <Filter text={`Status ${status}`} remove="Show every status" onRemove={() => without('status')} />}
      {member !== undefined && <Filter text={memberName ?? 'One member'} remove="Show all members" onRemove={() => without('member')} />}
    </ul>
  );
}

function Filter({ text, remove, onRemove }: { text: string; remove: string; onRemove: () => void }) {
  return (
    <li>
      <button
        type="button"
        title={remove}
        className="inline-flex h-7 items-center gap-1.5 rounded-md bg-accent-soft pr-1.5 pl-2.5 font-medium text-accent-ink text-xs tabular hover:opacity-80"
        onClick={onRemove}
      >
        {text}
        <span className="sr-only">: {remove}</span>
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
}
