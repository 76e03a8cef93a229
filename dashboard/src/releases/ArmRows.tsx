import { formatNumber } from '../lib/format.ts';
import { formatWeight } from './release.ts';
import { armColors, controlColor } from './SplitBar.tsx';

interface ArmRow {
  version: number;
  weight: number;
  units?: number;
  calls?: number;
  reads?: number;
}

interface ArmRowsProps {
  label: string;
  /** The rows: the control first, then the arms. */
  rows: ArmRow[];
  columns: { field: 'units' | 'calls' | 'reads'; title: string; hint: string }[];
}

/** The arms of a release with their shares and some of their numbers. */
export function ArmRows({ label, rows, columns }: ArmRowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section aria-label={`Arms of ${label}`} tabIndex={0} className="relative -mx-4 overflow-x-auto px-4 -outline-offset-2">
      <table className="w-full max-w-2xl tabular">
        <thead>
          <tr className="border-line border-b text-right text-ink-3 text-xs">
            <th scope="col" className="py-1.5 pr-3 text-left font-normal">
              Version
            </th>
            <th scope="col" className="py-1.5 pr-3 font-normal last:pr-0">
              Share
            </th>
            {columns.map(({ field, title, hint }) => (
              <th key={field} scope="col" className="py-1.5 pr-3 font-normal last:pr-0" title={hint}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            <tr key={row.version} className="text-right">
              <th scope="row" className="py-2 pr-3 text-left font-medium">
                <span className="flex items-center gap-2">
                  <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: colorOf(index) }} />v{row.version}
                  {index === 0 && <span className="font-normal text-ink-3 text-xs">control</span>}
                </span>
              </th>
              <td className="py-2 pr-3 last:pr-0">{formatWeight(row.weight)}</td>
              {columns.map(({ field }) => (
                <td key={field} className="py-2 pr-3 last:pr-0">
                  {formatNumber(row[field] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const colorOf = (index: number) => (index === 0 ? controlColor : (armColors[index - 1] ?? controlColor));

export const unitColumns = [
  { field: 'units', title: 'Units', hint: 'Keys with results since the shares last changed' },
  { field: 'calls', title: 'Calls', hint: 'The reported calls of these units' },
] as const;

/** Says how many reads without a key got the control. */
export function ReadsWithoutKey({ reads, control }: { reads: number; control: number }) {
  if (reads === 0) return null;
  return (
    <p className="mt-2 text-ink-2 text-xs">
      {formatNumber(reads)} {reads === 1 ? 'read' : 'reads'} without a key got v{control}.
    </p>
  );
}
