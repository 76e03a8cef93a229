/** `npm run bench`: compares PromptHarbor with a bare node:http server as the upper limit, and with alternatives. */
import { saveChart } from './lib/chart.ts';
import { saveLineChart } from './lib/line-chart.ts';
import { createReport, printRows, saveReport } from './lib/report.ts';
import type { Pace, Row } from './lib/rounds.ts';

const parts: Record<string, () => Promise<{ run(pace: Pace): Promise<Row[]> }>> = {
  reads: () => import('./parts/reads.ts'),
  render: () => import('./parts/render.ts'),
  offline: () => import('./parts/offline.ts'),
  scale: () => import('./parts/scale.ts'),
  writes: () => import('./parts/writes.ts'),
  mixed: () => import('./parts/mixed.ts'),
  stats: () => import('./parts/stats.ts'),
  start: () => import('./parts/start.ts'),
  postgres: () => import('./parts/postgres.ts'),
  workspaces: () => import('./parts/workspaces.ts'),
  streams: () => import('./parts/streams.ts'),
  backup: () => import('./parts/backup.ts'),
  capacity: () => import('./parts/capacity.ts'),
  growth: () => import('./parts/growth.ts'),
  search: () => import('./parts/search.ts'),
  results: () => import('./parts/results.ts'),
  releases: () => import('./parts/releases.ts'),
};
const args = process.argv.slice(2);
const pace: Pace = args.includes('--quick') ? { rounds: 3, seconds: 2 } : { rounds: 5, seconds: 3 };
const [name, ...rest] = args.filter((arg) => arg !== '--quick');
if (rest.length > 0 || (name !== undefined && !(name in parts))) {
  process.stderr.write(`Usage: npm run bench [-- [--quick] ${Object.keys(parts).join('|')}]\n`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [part, load] of Object.entries(parts)) {
  if (name !== undefined && name !== part) continue;
  const result = await (await load()).run(pace);
  printRows(result);
  rows.push(...result);
}
const file = saveReport(createReport(rows), name ?? 'all');
const reads = rows.filter(({ part }) => part === 'reads');
const growth = rows.filter(({ part }) => part === 'growth');
if (reads.length > 0) saveChart(reads, file.replace(/json$/, 'svg'));
if (growth.length > 0) saveLineChart(growth, file.replace(/\.json$/, '-growth.svg'));
process.stdout.write(`\nSaved to ${file}${reads.length + growth.length > 0 ? ', with charts next to it' : ''}\n`);
