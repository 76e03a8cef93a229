import { useState } from 'react';
import type { Statistics } from '../lib/types.ts';
import { BarChart, type Column } from './chart/BarChart.tsx';
import type { Layer } from './chart/Bars.tsx';
import { momentOf } from './period.ts';
import { TimeTable } from './TimeTable.tsx';
import { useTimeZone, utc } from './time-zone.ts';
import { describeZone, formatInterval, formatUtcHour } from './times.ts';

interface TimeChartProps {
  title: string;
  stats: Pick<Statistics, 'interval' | 'now' | 'to'> & { series: { time: string }[] };
  layers: Layer[];
  columns: Column[];
  /** The hour that the page is limited to, if any. */
  at?: string | undefined;
  /** Opens a day or an hour. */
  onOpen: (moment: string) => void;
}

/** A bar chart of a series with its legend, which can also be read as a table. */
export function TimeChart({ title, stats: { series, interval, now, to }, layers, columns, at, onOpen }: TimeChartProps) {
  const [isTable, setIsTable] = useState(false);
  const zone = useTimeZone();
  const times = series.map(({ time }) => time);
  const unfinished = findUnfinished([...times, to], now);
  const timeAt = (index: number) => times[index] ?? '';
  const nameOf = (index: number) => formatInterval(timeAt(index), interval, zone) + (zone === utc ? ' UTC' : '');
  const noteOf = (index: number) => {
    const utcHour = interval === 'hour' ? formatUtcHour(timeAt(index), zone) : undefined;
    const notes = [utcHour, index === unfinished ? 'so far' : undefined].filter((note) => note !== undefined);
    return notes.length === 0 ? undefined : notes.join(' · ');
  };
  const selected = at === undefined ? -1 : times.findIndex((time) => momentOf(time, interval, zone) === at);

  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-ink-2 text-xs">
        <span className="font-medium text-ink text-sm">{title}</span>
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {layers.map(({ name, color }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
              {name}
            </span>
          ))}
          <button
            type="button"
            aria-pressed={isTable}
            className="rounded-sm font-medium text-accent-ink hover:underline"
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </span>
      </figcaption>
      {isTable ? (
        <TimeTable
          title={title}
          columns={columns}
          rows={times.map((time, index) => ({ time, name: formatInterval(time, interval, zone), isUnfinished: index === unfinished }))}
        />
      ) : (
        <BarChart
          label={title}
          times={times}
          interval={interval}
          layers={layers}
          columns={columns}
          unfinished={unfinished}
          {...(selected >= 0 && { selected })}
          nameOf={nameOf}
          noteOf={noteOf}
          onSelect={(index) => onOpen(momentOf(timeAt(index), interval, zone))}
        />
      )}
      <p className="mt-2 text-ink-3 text-xs">
        {describeZone(zone, times[0])}
        {unfinished >= 0 && !isTable && ` The hatched ${interval} is still in progress.`}
      </p>
    </figure>
  );
}

/** Finds the interval that contains the present. Each interval ends where the next one begins. */
function findUnfinished(times: string[], now: string): number {
  return times.findIndex((time, index) => time <= now && now < (times[index + 1] ?? ''));
}
