import { readFile, writeFile } from 'node:fs/promises';
import type { Settings } from './settings.ts';

const documentFile = new URL('../../docs/campaigns.md', import.meta.url);
const maxShown = 20;

/** The results of a campaign. */
export interface Report {
  /** The place in the document: between `<!-- marker -->` and `<!-- /marker -->`. */
  marker: string;
  /** A description of the run without the seed, such as `1000 kills on each engine`. */
  summary: string;
  /** The programs involved and their versions, besides Node. */
  versions?: string[];
  startedAt: number;
  header: string[];
  rows: (string | number)[][];
  /** The violations. Any violation makes the campaign fail. */
  problems: string[];
}

let isInterrupted = false;

/** Prints the results, writes them to the document after a complete run, and says how to repeat a failed campaign. */
export async function conclude({ random, isDocumented, repeat }: Settings, report: Report): Promise<void> {
  const { marker, summary, versions = [], startedAt, header, rows, problems } = report;
  const where = [...versions, `Node ${process.versions.node}`, `${process.platform} ${process.arch}`].join(', ');
  const extent = isInterrupted ? `${summary} (stopped early)` : summary;
  const introduction = `Seed ${random.seed}, ${extent} in ${formatDuration(performance.now() - startedAt)}; ${where}.`;
  const text = `${introduction}\n\n${formatTable(header, rows)}`;
  showProgress('');
  print(text);
  if (isDocumented && !isInterrupted) await updateDocument(marker, text);
  if (problems.length === 0) return;
  process.exitCode = 1;
  for (const problem of problems.slice(0, maxShown)) print(`  ${problem}`);
  if (problems.length > maxShown) print(`  … and ${problems.length - maxShown} more`);
  print(`FAILED. The same choices again, though not the same timing: ${repeat}`);
}

export function formatTable(header: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/** Replaces the text between the markers in the document. */
export async function updateDocument(marker: string, results: string): Promise<void> {
  const text = await readFile(documentFile, 'utf8');
  const place = new RegExp(`(?<=<!-- ${marker} -->\\n).*(?=<!-- /${marker} -->)`, 's');
  if (!place.test(text)) throw new Error(`docs/campaigns.md has no place for the results: <!-- ${marker} -->`);
  await writeFile(
    documentFile,
    text.replace(place, () => `\n${results}\n\n`),
  );
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a line that replaces the previous one, only on a terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

/** Ctrl+C ends a campaign after the current step, and the campaign still reports. */
export function watchInterrupt(): () => boolean {
  process.once('SIGINT', () => {
    isInterrupted = true;
    print('Ends soon …');
  });
  return () => isInterrupted;
}

export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}
