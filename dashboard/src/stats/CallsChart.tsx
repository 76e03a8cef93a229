import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatNumber } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';

const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const utcDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const amount = new Intl.NumberFormat('en', { notation: 'compact' });
const moment = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const wholeDay = new Intl.DateTimeFormat('en', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Calls and errors over time. Screen readers get the numbers as a table. */
export function CallsChart({ stats: { series, interval, from, to } }: { stats: Statistics }) {
  const spansDays = new Date(to).getTime() - new Date(from).getTime() > 25 * 3_600_000;
  // The server counts days in UTC, so they are shown in UTC; hours are shown in local time.
  const tickFormat = interval === 'day' ? utcDay : spansDays ? day : hour;
  const midnights = series.flatMap(({ time }) => (new Date(time).getHours() === 0 ? [time] : []));
  const tick = (time: string) => tickFormat.format(new Date(time));
  const name = (time: string) => (interval === 'hour' ? moment : wholeDay).format(new Date(time));
  const axis = { stroke: 'var(--line)', tick: { fill: 'var(--ink-3)', fontSize: 11 }, tickLine: false };
  return (
    <figure>
      <figcaption className="mb-3 flex items-center justify-between text-ink-2 text-xs">
        <span className="font-medium text-ink text-sm">Calls over time</span>
        <span className="flex gap-4" aria-hidden>
          <Legend color="bg-(--chart-calls)" text="Calls" />
          <Legend color="bg-(--chart-errors)" text="Errors" />
        </span>
      </figcaption>
      <div className="h-60" aria-hidden>
        <ResponsiveContainer width="100%" height="100%">
          <AreaChart data={series} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="time"
              tickFormatter={tick}
              minTickGap={48}
              {...(interval === 'hour' && spansDays && { ticks: midnights })}
              {...axis}
            />
            <YAxis width={40} allowDecimals={false} tickFormatter={(value: number) => amount.format(value)} {...axis} axisLine={false} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: 'var(--line-strong)' }}
              content={({ active, payload }) => {
                const point: unknown = payload?.[0]?.payload;
                return active && isPoint(point) ? <PointCard point={point} name={name(point.time)} /> : null;
              }}
            />
            <Area
              type="monotone"
              dataKey="calls"
              stroke="var(--chart-calls)"
              strokeWidth={1.75}
              fill="var(--chart-calls-fill)"
              isAnimationActive={false}
            />
            <Area type="monotone" dataKey="errors" stroke="var(--chart-errors)" strokeWidth={1.75} fill="none" isAnimationActive={false} />
          </AreaChart>
        </ResponsiveContainer>
      </div>
      <table className="sr-only">
        <caption>Calls over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Calls</th>
            <th scope="col">Errors</th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ time, calls, errors }) => (
            <tr key={time}>
              <th scope="row">{name(time)}</th>
              <td>{calls}</td>
              <td>{errors}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

type Point = Statistics['series'][number];

function isPoint(value: unknown): value is Point {
  return typeof value === 'object' && value !== null && 'time' in value && 'calls' in value;
}

function PointCard({ point, name }: { point: Point; name: string }) {
  return (
    <div className="rounded-md bg-surface px-3 py-2 text-xs shadow-pop">
      <div className="mb-1 text-ink-3">{name}</div>
      <div className="flex justify-between gap-6 font-medium tabular">
        <span>Calls</span>
        <span>{formatNumber(point.calls)}</span>
      </div>
      <div className="flex justify-between gap-6 text-ink-2 tabular">
        <span>Errors</span>
        <span>{formatNumber(point.errors)}</span>
      </div>
    </div>
  );
}

function Legend({ color, text }: { color: string; text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`h-0.5 w-3 rounded-full ${color}`} />
      {text}
    </span>
  );
}
