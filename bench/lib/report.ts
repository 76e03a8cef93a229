import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { version } from '../../src/version.ts';
import { generator } from './load.ts';
import type { Row } from './rounds.ts';

interface Report {
  machine: { platform: string; cpu: string; cores: number; memoryGib: number };
  versions: { promptharbor: string; node: string; generator: string };
  commit: string;
  at: string;
  rows: Row[];
}

export function createReport(rows: Row[]): Report {
  return {
    machine: {
      platform: `${platform()} ${arch()}`,
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memoryGib: Math.round(totalmem() / 2 ** 30),
    },
    versions: { promptharbor: version, node: process.versions.node, generator },
    commit: readCommit(),
    at: new Date().toISOString(),
    rows,
  };
}

/** Writes bench/results/<name>.json and returns its path. */
export function saveReport(report: Report, name: string): string {
  const dir = `${import.meta.dirname}/../results`;
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  return `bench/results/${name}.json`;
}

export function printRows(rows: Row[]): void {
  const works = Map.groupBy(rows, ({ part, work }) => `${part}: ${work}`);
  for (const [work, group] of works) {
    process.stdout.write(`\n${work}\n`);
    process.stdout.write(formatLine(['', 'req/s', 'spread', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'goal']));
    for (const row of group) {
      process.stdout.write(
        formatLine([
          row.contender,
          format(row.requestsPerSecond),
          row.spread.map(format).join('–'),
          row.p50Ms.toFixed(2),
          row.p99Ms.toFixed(2),
          row.cpuMicroseconds?.toFixed(0) ?? '',
          row.ratio?.toFixed(2) ?? '',
          row.goal ?? '',
        ]),
      );
    }
  }
}

function formatLine([first = '', ...cells]: string[]): string {
  return `  ${first.padEnd(40)}${cells.map((cell, index) => (index === cells.length - 1 ? `  ${cell}` : cell.padStart(index === 1 ? 16 : 10))).join('')}\n`;
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1);
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
