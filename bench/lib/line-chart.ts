import { writeFileSync } from 'node:fs';
import { text } from './chart.ts';
import type { Row } from './rounds.ts';

const width = 760;
const panelHeight = 210;
const left = 50;
const right = 130;
const top = 30;
const bottom = 44;
const panelGap = 24;
const lineClasses = ['a', 'b', 'c', 'd', 'e', 'f'];

/**
 * Draws how median times change with the size, as an SVG for light and dark pages. The chart has one panel for each quantity that grows,
 * and one line for each kind of request.
 */
export function saveLineChart(rows: Row[], file: string): void {
  const panels = [...Map.groupBy(rows, ({ work }) => work.split(': ')[0] ?? '')];
  const body = panels.map(([title, panel], index) => drawPanel(title, panel, index * (panelHeight + panelGap)));
  const height = panels.length * (panelHeight + panelGap) - panelGap;
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Median time of a request as a workspace grows">
<style>
  text { font: 12px system-ui, sans-serif; fill: #475569 }
  .title { font-weight: 600; fill: #0f172a }
  .y { text-anchor: end }
  .x { text-anchor: middle }
  .grid { stroke: #e2e8f0 }
  path { fill: none; stroke-width: 2 }
  ${colorRules(['#0f766e', '#2563eb', '#9333ea', '#b45309', '#475569', '#dc2626'])}
  @media (prefers-color-scheme: dark) {
    text { fill: #94a3b8 }
    .title { fill: #f1f5f9 }
    .grid { stroke: #334155 }
    ${colorRules(['#2dd4bf', '#60a5fa', '#c084fc', '#fbbf24', '#94a3b8', '#f87171'])}
  }
</style>
${body.join('\n')}
</svg>
`,
  );
}

function colorRules(colors: string[]): string {
  return colors
    .map((color, index) => `path.${lineClasses[index]} { stroke: ${color} } text.${lineClasses[index]} { fill: ${color} }`)
    .join(' ');
}

function drawPanel(title: string, rows: Row[], y: number): string {
  const sizes = [...new Set(rows.map(({ contender }) => contender))];
  const lines = [...Map.groupBy(rows, ({ work }) => work.slice(title.length + 2))];
  const [lowest, highest] = [Math.min(...rows.map(({ p50Ms }) => p50Ms)), Math.max(...rows.map(({ p50Ms }) => p50Ms))];
  const ticks = [0.1, 1, 10, 100, 1000].filter((tick) => tick >= lowest / 10 && tick <= highest * 10);
  const [first = lowest, last = highest] = [ticks[0], ticks.at(-1)];
  const xOf = (index: number) => left + (index / Math.max(1, sizes.length - 1)) * (width - left - right);
  const yOf = (ms: number) => y + top + (1 - Math.log(ms / first) / Math.log(last / first)) * (panelHeight - top - bottom);
  const ends = spreadOut(lines.map(([, points]) => yOf(points.at(-1)?.p50Ms ?? first)));
  return [
    text(0, y + 14, `${title}: median, ms`, 'title'),
    ...ticks.map((tick) => `<path class="grid" style="stroke-width:1" d="M${left} ${yOf(tick).toFixed(1)}H${width - right}"/>`),
    ...ticks.map((tick) => text(left - 8, yOf(tick) + 4, String(tick), 'y')),
    ...sizes.map((size, index) => text(xOf(index), y + panelHeight - 8, size, index < sizes.length - 1 ? 'x' : 'y')),
    ...lines.map(([, points], index) => {
      const path = points.map(({ p50Ms }, at) => `${at === 0 ? 'M' : 'L'}${xOf(at).toFixed(1)} ${yOf(p50Ms).toFixed(1)}`).join('');
      return `<path class="${lineClasses[index % lineClasses.length]}" d="${path}"/>`;
    }),
    ...lines.map(([work], index) => text(width - right + 8, (ends[index] ?? y) + 4, work, lineClasses[index % lineClasses.length] ?? '')),
  ].join('\n');
}

/** Moves positions apart, so that the names of lines that end close together can be read. */
function spreadOut(positions: number[]): number[] {
  const result = [...positions];
  let previous = Number.NEGATIVE_INFINITY;
  for (const index of positions.map((_, at) => at).sort((one, other) => (positions[one] ?? 0) - (positions[other] ?? 0))) {
    previous = Math.max(positions[index] ?? 0, previous + 14);
    result[index] = previous;
  }
  return result;
}
