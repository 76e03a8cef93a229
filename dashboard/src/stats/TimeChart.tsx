import { useState } from 'react';
import type { Statistics } from '../lib/types.ts';
import { BarChart, type Column } from './chart/BarChart.tsx';
import type { Layer } from './chart/Bars.tsx';
import { lengthMsOf, momentOf } from './period.ts';
import { TimeTable } from './TimeTable.tsx';
import { formatInterval, formatLocalHour } from './times.ts';

interface TimeChartProps {
  title: string;
  stats: Statistics;
  layers: Layer[];
  columns: Column[];
  /** The hour that the page is limited to, if any. */
  at?: string | undefined;
  /** Opens a day or an hour. */
  onOpen: (moment: string) => void;
}

/** A bar chart of a series with its legend, which can also be read as a table. */
export function TimeChart({ title, stats: { series, interval, now }, layers, columns, at, onOpen }: TimeChartProps) {
  const [isTable, setIsTable] = useState(false);
  const times = series.map(({ time }) => time);
  const unfinished = findUnfinished(times, interval, now);
  const timeAt = (index: number) => times[index] ?? '';
  const nameOf = (index: number) => `${formatInterval(timeAt(index), interval)} UTC`;
  const noteOf = (index: number) => {
    const local = interval === 'hour' ? formatLocalHour(timeAt(index)) : undefined;
    const notes = [local, index === unfinished ? 'so far' : undefined].filter((note) => note !== undefined);
    return notes.length === 0 ? undefined : notes.join(' · ');
  };
  const selected = at === undefined ? -1 : times.findIndex((time) => momentOf(time, interval) === at);

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
          rows={times.map((time, index) => ({ time, name: formatInterval(time, interval), isUnfinished: index === unfinished }))}
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
          onSelect={(index) => onOpen(momentOf(timeAt(index), interval))}
        />
      )}
      <p className="mt-2 text-ink-3 text-xs">
        Days and hours are in UTC.
        {unfinished >= 0 && !isTable && ` The hatched ${interval} is still in progress.`}
      </p>
    </figure>
  );
}

function findUnfinished(times: string[], interval: Statistics['interval'], now: string): number {
  const nowMs = Date.parse(now);
  return times.findIndex((time) => Date.parse(time) <= nowMs && nowMs < Date.parse(time) + lengthMsOf(interval));
}
