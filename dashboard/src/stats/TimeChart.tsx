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
  formatTick?: (value: number) => string;
  minStep?: number;
  /** The changes in the period, oldest first. */
  marks?: { at: string; text: string }[];
  /** The hour that the page is limited to, if any. */
  at?: string | undefined;
  /** Opens a day or an hour. */
  onOpen: (moment: string) => void;
}

/** A bar chart of a series with its legend, which can also be read as a table. */
export function TimeChart({ title, stats, layers, columns, formatTick, minStep, marks = [], at, onOpen }: TimeChartProps) {
  const { series, interval, now, to } = stats;
  const [isTable, setIsTable] = useState(false);
  const zone = useTimeZone();
  const times = series.map(({ time }) => time);
  const unfinished = findUnfinished([...times, to], now);
  const placed = marks.flatMap(({ at: moment, text }) => {
    const position = findPosition([...times, to], moment);
    return position === undefined ? [] : [{ position, text }];
  });
  const marksAt = (index: number) => {
    const texts = placed.filter(({ position }) => Math.floor(position) === index).map(({ text }) => text);
    const hidden = texts.length - maxMarkTexts;
    return texts.length === 0 ? undefined : `${texts.slice(0, maxMarkTexts).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''} deployed`;
  };
  const timeAt = (index: number) => times[index] ?? '';
  const nameOf = (index: number) => formatInterval(timeAt(index), interval, zone) + (zone === utc ? ' UTC' : '');
  const noteOf = (index: number) => {
    const utcHour = interval === 'hour' ? formatUtcHour(timeAt(index), zone) : undefined;
    const notes = [utcHour, index === unfinished ? 'so far' : undefined, marksAt(index)].filter((note) => note !== undefined);
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
          rows={times.map((time, index) => ({
            time,
            name: formatInterval(time, interval, zone),
            isUnfinished: index === unfinished,
            note: marksAt(index),
          }))}
        />
      ) : (
        <BarChart
          label={title}
          times={times}
          interval={interval}
          layers={layers}
          columns={columns}
          formatTick={formatTick}
          minStep={minStep}
          marks={placed}
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

const maxMarkTexts = 4;

/**
 * Returns the position of a moment, in intervals since the first time. Returns undefined if it is before the first or after the last time.
 */
function findPosition(times: string[], moment: string): number | undefined {
  const instants = times.map((time) => Date.parse(time));
  const at = Date.parse(moment);
  const index = instants.findLastIndex((instant) => instant <= at);
  const [start, end] = [instants[index], instants[index + 1]];
  return start === undefined || end === undefined ? undefined : index + (at - start) / (end - start);
}

/** Finds the interval that contains the present. Each interval ends where the next one begins. */
function findUnfinished(times: string[], now: string): number {
  return times.findIndex((time, index) => time <= now && now < (times[index + 1] ?? ''));
}
