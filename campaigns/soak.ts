import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMib } from '../bench/lib/processes.ts';
import { median, percentile } from '../bench/lib/rounds.ts';
import { openStream } from '../test/support/event-stream.ts';
import { serveProgram } from '../test/support/process.ts';
import { createLoad, maxPending, measureCapacity, sendAtRate, type Taken } from '../test/support/soak/load.ts';
import { createWorld, type World } from '../test/support/soak/world.ts';
import { createDatabase, type EngineName, engineNames } from './lib/databases.ts';
import { conclude, print, showProgress, watchInterrupt } from './lib/report.ts';
import { parseSettings, UsageError } from './lib/settings.ts';

const capacityMs = 20_000;
/** The number of parts that the run is divided into. The second part is the baseline, because the first part is the warm-up. */
const parts = 12;
const tenantCount = 6;
const openStreams = 20;
const goals = { memoryRatio: 1.2, moreFiles: 20, p99Ratio: 1.5 };

interface Part extends Taken {
  memoryMib: number;
  files: number;
  pending: number;
}

/** Applies a mixed load at half of the capacity. Compares memory, file descriptors and p99 at the end with those at the beginning. */
export async function run(args: string[]): Promise<void> {
  const settings = parseSettings('soak', args, { wholeSize: 120, options: ['engine'] });
  const { size: minutes, random } = settings;
  const engine = parseEngine(settings.options.engine);
  const isInterrupted = watchInterrupt();
  print(`Seed ${random.seed}`);
  const database = await createDatabase(engine);
  const service = await serveProgram({ ...database.env, LOG_LEVEL: 'error', OUTBOUND_ALLOW: '127.0.0.1', QUOTA_VERSIONS: 'unlimited' });
  try {
    const world = await createWorld(service.url, tenantCount);
    showProgress('Measuring the capacity …');
    const capacity = await measureCapacity(world, random, capacityMs);
    const perSecond = capacity / 2;
    print(`${engine}: capacity ${capacity.toFixed(0)} requests/s; ${perSecond.toFixed(0)} requests/s for ${minutes} minutes`);
    const startedAt = performance.now();
    const streams = holdStreams(world);
    const load = createLoad(world, random);
    let isOver = false;
    const sending = sendAtRate(load, { perSecond, isOver: () => isOver });
    const results: Part[] = [];
    while (results.length < parts && !isInterrupted() && service.child.exitCode === null) {
      results.push(await observe(service.child.pid ?? 0, load, { ms: (minutes * 60_000) / parts, isInterrupted }));
      showProgress(describePart(results));
    }
    isOver = true;
    await sending;
    const reconnects = await streams.close();
    await world.close();
    const errors = service
      .stdout()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    await conclude(settings, {
      marker: engine === 'SQLite' ? 'soak' : 'soak on PostgreSQL',
      summary: `${countRequests(results)} requests at ${perSecond.toFixed(0)} a second, half of the capacity, and ${openStreams} open streams (${reconnects} reconnects)`,
      versions: database.versions,
      startedAt,
      header: ['figure', 'beginning', 'end', 'ratio'],
      rows: toRows(results),
      problems: [...findProblems(results), ...errors.map((line) => line.slice(0, 1500))],
    });
  } finally {
    await service.stop();
    await database.remove();
  }
}

function parseEngine(text: string = 'SQLite'): EngineName {
  const engine = engineNames.find((name) => name.toLowerCase() === text.toLowerCase());
  if (!engine) throw new UsageError(`--engine is one of: ${engineNames.join(', ')}`);
  return engine;
}

/** Holds streams open. They reconnect when the service ends them. */
function holdStreams(world: World): { close(): Promise<number> } {
  let isOver = false;
  let reconnects = 0;
  const open = new Set<() => void>();
  const holding = Array.from({ length: openStreams }, async (_each, index) => {
    const tenant = world.tenants[index % world.tenants.length];
    while (!isOver && tenant) {
      const stream = await openStream(world, { key: tenant.token }).catch(() => undefined);
      if (stream) {
        open.add(stream.close);
        while (await stream.next().catch(() => undefined));
        open.delete(stream.close);
      }
      if (!isOver) reconnects += 1;
      await delay(100);
    }
  });
  return {
    async close() {
      isOver = true;
      for (const close of open) close();
      await Promise.all(holding);
      return reconnects;
    },
  };
}

const samplesPerPart = 20;

async function observe(
  pid: number,
  load: ReturnType<typeof createLoad>,
  { ms, isInterrupted }: { ms: number; isInterrupted(): boolean },
): Promise<Part> {
  const memory: number[] = [];
  const files: number[] = [];
  for (let sample = 0; sample < samplesPerPart && !isInterrupted(); sample += 1) {
    await delay(ms / samplesPerPart);
    memory.push(residentMib(pid) ?? Number.NaN);
    files.push(countFiles(pid));
  }
  return { ...load.take(), memoryMib: median(memory), files: median(files), pending: load.pending };
}

/** Returns NaN if this is not Linux. */
function countFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

function p99Of(part: Part | undefined, kind?: string): number {
  const durations = kind === undefined ? [...(part?.durations.values() ?? [])].flat() : (part?.durations.get(kind) ?? []);
  return percentile(
    durations.toSorted((one, other) => one - other),
    0.99,
  );
}

function ends(results: Part[]): [first: Part | undefined, last: Part | undefined] {
  return [results[1] ?? results[0], results.at(-1)];
}

function toRows(results: Part[]): (string | number)[][] {
  const [first, last] = ends(results);
  const toRow = (name: string, figure: (part: Part | undefined) => number, digits = 1) => {
    const [before, after] = [figure(first), figure(last)];
    return [name, before.toFixed(digits), after.toFixed(digits), (after / before).toFixed(2)];
  };
  const kindNames = [...(first?.durations.keys() ?? [])].sort();
  return [
    toRow('memory, MiB', (part) => part?.memoryMib ?? Number.NaN, 0),
    toRow('file descriptors', (part) => part?.files ?? Number.NaN, 0),
    toRow('p99 of all requests, ms', (part) => p99Of(part)),
    ...kindNames.map((kind) => toRow(`p99 of ${kind}, ms`, (part) => p99Of(part, kind))),
    ['failed requests', first?.failures.length ?? 0, last?.failures.length ?? 0, ''],
  ];
}

function findProblems(results: Part[]): string[] {
  const [first, last] = ends(results);
  if (!first || !last) return ['The service has ended'];
  const problems = results.flatMap(({ failures }) => failures);
  if (last.memoryMib > first.memoryMib * goals.memoryRatio) problems.push(`memory grew by more than ${goals.memoryRatio} times`);
  if (last.files > first.files + goals.moreFiles) problems.push(`more than ${goals.moreFiles} further file descriptors`);
  if (p99Of(last) > p99Of(first) * goals.p99Ratio) problems.push(`p99 grew by more than ${goals.p99Ratio} times`);
  if (results.some(({ pending }) => pending >= maxPending)) problems.push('the service could not keep up');
  if (results.length < parts) problems.push(`it ended after ${results.length} of ${parts} parts`);
  return problems;
}

function countRequests(results: Part[]): number {
  return results.flatMap(({ durations }) => [...durations.values()]).reduce((sum, { length }) => sum + length, 0);
}

function describePart(results: Part[]): string {
  const part = results.at(-1);
  return `part ${results.length} of ${parts}: ${part?.memoryMib.toFixed(0)} MiB, ${part?.files} files, p99 ${p99Of(part).toFixed(1)} ms, ${part?.failures.length} failures`;
}
