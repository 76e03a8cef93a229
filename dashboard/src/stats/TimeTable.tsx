import { type Column, formatValue } from './chart/BarChart.tsx';
import { useTimeZone, utc } from './time-zone.ts';

interface TimeTableProps {
  title: string;
  columns: Column[];
  rows: { time: string; name: string; isUnfinished: boolean; note?: string | undefined }[];
}

/** The numbers of a chart, newest first. */
export function TimeTable({ title, columns, rows }: TimeTableProps) {
  const zone = useTimeZone();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section aria-label={title} tabIndex={0} className="h-60 overflow-auto">
      <table className="w-full">
        <thead>
          <tr className="sticky top-0 bg-surface text-left text-ink-3 text-xs">
            <th scope="col" className="py-1.5 pr-3 font-normal">
              {zone === utc ? 'Time (UTC)' : 'Time'}
            </th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="py-1.5 pr-3 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows
            .map(({ time, name, isUnfinished, note }, index) => (
              <tr key={time}>
                <th scope="row" className="py-1.5 pr-3 text-left font-normal whitespace-nowrap">
                  {name}
                  {isUnfinished && <span className="text-ink-3"> so far</span>}
                  {note !== undefined && <span className="block text-ink-3 text-xs">{note}</span>}
                </th>
                {columns.map((column) => (
                  <td key={column.name} className="py-1.5 pr-3 text-right tabular">
                    {formatValue(column, index)}
                  </td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  );
}
