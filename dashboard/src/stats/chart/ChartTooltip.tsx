interface ChartTooltipProps {
  /** The middle of the bar. */
  x: number;
  /** The width of the chart. */
  width: number;
  title: string;
  note: string | undefined;
  rows: { name: string; value: string; color: string | undefined }[];
}

/** The numbers of one bar, shown on the side that has enough space. */
export function ChartTooltip({ x, width, title, note, rows }: ChartTooltipProps) {
  const side = x < width / 2 ? { left: x + 12 } : { right: width - x + 12 };
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 z-10 max-w-56 rounded-md bg-surface px-3 py-2 text-xs shadow-pop"
      style={side}
    >
      <div className="font-medium">{title}</div>
      {note !== undefined && <div className="text-ink-3">{note}</div>}
      <div className="mt-1 space-y-0.5">
        {rows.map(({ name, value, color }) => (
          <div key={name} className="flex items-center justify-between gap-6 tabular">
            <span className="flex min-w-0 items-center gap-1.5 text-ink-2">
              {color !== undefined && <span className="size-2 shrink-0 rounded-xs" style={{ background: color }} />}
              <span className="truncate">{name}</span>
            </span>
            <span className="font-medium">{value}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
