import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import type { Interval } from '../search.ts';
import { useTimeZone } from '../time-zone.ts';
import { Bars, type Layer } from './Bars.tsx';
import { ChartTooltip } from './ChartTooltip.tsx';
import { type Mark, Marks } from './Marks.tsx';
import { timeTicks, valueTicks } from './scale.ts';
import { useWidth } from './use-width.ts';

export interface Column {
  name: string;
  /** The value of each interval. Null where there is nothing to count. */
  values: (number | null)[];
  /** Formats a value. By default, values are formatted as numbers. */
  format?: (value: number) => string;
  /** The color of the matching layer. */
  color?: string;
}

/** Formats a value of a column. */
export function formatValue({ values, format = formatNumber }: Column, index: number): string {
  const value = values[index];
  return value === null || value === undefined ? '–' : format(value);
}

interface BarChartProps {
  label: string;
  /** The start of each interval. */
  times: string[];
  interval: Interval;
  /** The layers, from the bottom up. */
  layers: Layer[];
  /** The content of the tooltip. */
  columns: Column[];
  /** Formats the values of the axis. By default, they are compact numbers. */
  formatTick?: ((value: number) => string) | undefined;
  /** The smallest step of the axis. Calls are whole numbers, so the default is 1. */
  minStep?: number | undefined;
  /** The marked moments, oldest first. */
  marks?: Mark[] | undefined;
  /** The index of the interval that is still in progress, or -1 if there is none. */
  unfinished: number;
  /** The index of the interval that the page is limited to. */
  selected?: number | undefined;
  /** Returns the name of an interval, for the tooltip and screen readers. */
  nameOf: (index: number) => string;
  noteOf: (index: number) => string | undefined;
  onSelect: (index: number) => void;
}

const height = 240;
const outside = { right: 2, bottom: 24 };
const minLeft = 40;
/** The width of a digit of the axis. */
const digitWidth = 6.5;
/** The height above the bars, where the texts of marks are. */
const marksHeight = 24;
const compact = new Intl.NumberFormat('en', { notation: 'compact' });
const noMarks: Mark[] = [];

/**
 * Shows stacked bars over time. The user selects a bar by pointer, by touch (the first tap shows the numbers) or by arrow keys and Enter.
 */
export function BarChart(props: BarChartProps) {
  const { label, times, interval, layers, columns, unfinished, selected, nameOf, noteOf, onSelect, marks = noMarks } = props;
  const { formatTick = compact.format, minStep = 1 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [active, setActive] = useState<number>();
  const tapped = useRef<number>(undefined);
  const hatchId = useId();
  const zone = useTimeZone();

  const highest = Math.max(...times.map((_, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)), minStep);
  const ticks = valueTicks(highest, 4, minStep);
  const left = Math.max(minLeft, 12 + digitWidth * Math.max(...ticks.map((value) => formatTick(value).length)));
  const margin = { ...outside, left, top: marks.length > 0 ? marksHeight : 8 };
  const plotHeight = height - margin.top - margin.bottom;
  const top = ticks.at(-1) ?? 1;
  const step = Math.max(0, width - margin.left - margin.right) / times.length;
  const yOf = (value: number) => margin.top + plotHeight * (1 - value / top);
  const shown = active !== undefined && active < times.length ? active : undefined;
  const current = shown ?? selected ?? times.length - 1;

  const indexAt = (event: PointerEvent) => {
    const x = event.clientX - (frame.current?.getBoundingClientRect().left ?? 0) - margin.left;
    const index = Math.floor(x / step);
    return index >= 0 && index < times.length ? index : undefined;
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onSelect(current);
    else if (event.key === 'Escape') setActive(undefined);
    else if (event.key in keySteps) setActive(clamp(current + (keySteps[event.key] ?? 0), times.length));
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={`${label}. Use the arrow keys to choose a bar and Enter to open it.`}
      aria-valuemin={0}
      aria-valuemax={times.length - 1}
      aria-valuenow={current}
      aria-valuetext={[nameOf(current), noteOf(current), ...columns.map((column) => `${column.name}: ${formatValue(column, current)}`)]
        .filter((part) => part !== undefined)
        .join(', ')}
      className="relative h-60 cursor-pointer touch-pan-y select-none rounded-sm"
      onKeyDown={handleKey}
      onBlur={() => setActive(undefined)}
      onPointerDown={(event) => {
        tapped.current = event.pointerType === 'touch' && indexAt(event) !== shown ? undefined : indexAt(event);
        setActive(indexAt(event));
      }}
      onPointerMove={(event) => setActive(indexAt(event))}
      onPointerLeave={(event) => event.pointerType !== 'touch' && setActive(undefined)}
      onClick={() => tapped.current !== undefined && onSelect(tapped.current)}
    >
      <svg aria-hidden width={width} height={height} className="block overflow-visible">
        {ticks.map((value) => (
          <g key={value}>
            <line x1={margin.left} x2={width} y1={yOf(value)} y2={yOf(value)} stroke="var(--line)" shapeRendering="crispEdges" />
            <text x={margin.left - 8} y={yOf(value)} dy="0.32em" textAnchor="end" className="fill-ink-3 text-2xs tabular">
              {formatTick(value)}
            </text>
          </g>
        ))}
        {[selected, shown].map(
          (index, layer) =>
            index !== undefined && (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: the two bands never change places.
                key={layer}
                x={margin.left + index * step}
                width={Math.max(step, 1)}
                y={margin.top}
                height={plotHeight}
                fill={layer === 0 ? 'var(--accent-soft)' : 'var(--chart-hover)'}
              />
            ),
        )}
        <Bars layers={layers} unfinished={unfinished} left={margin.left} step={step} yOf={yOf} hatchId={hatchId} />
        <Marks marks={marks} left={margin.left} top={margin.top} bottom={height - margin.bottom} step={step} width={width} />
        {timeTicks(times, interval, { zone, widthPerInterval: step }).map(({ index, text }) => (
          <text
            key={index}
            x={Math.min(margin.left + (index + 0.5) * step, width - 18)}
            y={height - 6}
            textAnchor="middle"
            className="fill-ink-3 text-2xs tabular"
          >
            {text}
          </text>
        ))}
      </svg>
      {shown !== undefined && (
        <ChartTooltip
          x={margin.left + (shown + 0.5) * step}
          width={width}
          title={nameOf(shown)}
          note={noteOf(shown)}
          rows={columns.map((column) => ({ name: column.name, value: formatValue(column, shown), color: column.color }))}
        />
      )}
    </div>
  );
}

const keySteps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  PageDown: -24,
  PageUp: 24,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
