import { type ReactNode, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Card } from '../ui/Card.tsx';

interface BreakdownTableProps {
  title: string;
  note?: string;
  columns: [string, ...string[]];
  empty: string;
  /** The rows, each a `tr`. */
  children: ReactNode[];
}

const firstRows = 12;

/** A table of counts. The table shows the first dozen rows until the user asks for all. */
export function BreakdownTable({ title, note, columns: [first, ...others], empty, children }: BreakdownTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card className="overflow-hidden">
      <h2 className="px-4 pt-3.5 pb-1 font-semibold text-sm">{title}</h2>
      {children.length === 0 ? (
        <p className="px-4 pt-1 pb-5 text-ink-3">{empty}</p>
      ) : (
        <table className="w-full">
          <thead>
            <tr className="border-line border-b text-left text-ink-3 text-xs">
              <th scope="col" className="py-1.5 pr-3 pl-4 font-normal">
                {first}
              </th>
              {others.map((name) => (
                <th key={name} scope="col" className="w-16 py-1.5 pr-4 text-right font-normal sm:w-20">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">{isOpen ? children : children.slice(0, firstRows)}</tbody>
        </table>
      )}
      {children.length > firstRows && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="w-full border-line border-t px-4 py-2 text-left font-medium text-accent-ink text-xs hover:bg-hover"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? `Show the first ${firstRows}` : `Show all ${formatNumber(children.length)}`}
        </button>
      )}
      {note !== undefined && children.length > 0 && <p className="border-line border-t px-4 py-2 text-ink-3 text-xs">{note}</p>}
    </Card>
  );
}

export function NumberCell({ value, danger = false }: { value: number; danger?: boolean }) {
  const tone = danger ? (value > 0 ? 'text-danger' : 'text-ink-3') : 'text-ink';
  return <td className={`py-2 pr-4 text-right tabular ${tone}`}>{formatNumber(value)}</td>;
}

export function ShareBar({ share }: { share: number }) {
  return (
    <div aria-hidden className="mt-1.5 h-1 rounded-full bg-hover">
      <div className="h-1 rounded-full bg-accent opacity-70" style={{ width: `${Math.max(1, share * 100)}%` }} />
    </div>
  );
}
