import { writeFileSync } from 'node:fs';
import type { Row } from './rounds.ts';

const width = 760;
const left = 270;
const right = 110;
const barHeight = 18;
const gap = 6;
const groupGap = 34;

/** Draws throughput as an SVG bar chart with one group per benchmark, for light and dark pages. */
export function saveChart(rows: Row[], file: string): void {
  writeFileSync(file, drawChart(rows));
}

function drawChart(rows: Row[]): string {
  const groups = [...Map.groupBy(rows, ({ work }) => work)];
  let y = 10;
  const body: string[] = [];
  for (const [work, group] of groups) {
    const fastest = Math.max(...group.map(({ requestsPerSecond }) => requestsPerSecond));
    body.push(text(0, y + 12, work, 'title'));
    y += 24;
    for (const row of group) {
      const length = Math.max(1, (row.requestsPerSecond / fastest) * (width - left - right));
      const isOurs = row.contender.startsWith('PromptHarbor');
      const label = `${Math.round(row.requestsPerSecond).toLocaleString('en-US')}/s${row.ratio === undefined ? '' : ` (${row.ratio.toFixed(2)})`}`;
      body.push(text(left - 10, y + 13, row.contender, 'name'));
      body.push(
        `<rect class="${isOurs ? 'ours' : 'other'}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="3"/>`,
      );
      body.push(text(left + length + 8, y + 13, label, 'value'));
      y += barHeight + gap;
    }
    y += groupGap - gap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y - groupGap + 20}" role="img" aria-label="Requests per second, with the ratio to bare node:http">
<style>
  text { font: 12px system-ui, sans-serif; fill: #475569 }
  .title { font-weight: 600; fill: #0f172a }
  .name { text-anchor: end }
  .value { font-variant-numeric: tabular-nums }
  .ours { fill: #0f766e }
  .other { fill: #cbd5e1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #94a3b8 }
    .title { fill: #f1f5f9 }
    .ours { fill: #2dd4bf }
    .other { fill: #334155 }
  }
</style>
${body.join('\n')}
</svg>
`;
}

export function text(x: number, y: number, content: string, kind: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escaped}</text>`;
}
