import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Product, startEmbedded, startOnPostgres } from '../lib/contenders.ts';
import { readCpuMs } from '../lib/cpu-time.ts';
import { applyLoad } from '../lib/load.ts';
import { residentMib } from '../lib/processes.ts';
import { addRatios, compare, median, type Pace, type Row } from '../lib/rounds.ts';
import { openStreams, type Streams } from '../lib/streams.ts';

const streamCount = 5000;
/** The maximum number of streams in one workspace is 1,000. */
const accounts = 5;
const prompt = '/api/prompts/folder-0%2Fprompt-00000';
const load = { method: 'GET', path: prompt, connections: 32 };
const settleMs = 3000;
const none = 'no streams';
const open = `${streamCount.toLocaleString('en-US')} open streams`;

/** Measures what open streams cost, and how soon a label move at the same or at another instance reaches all streams. */
export async function run(pace: Pace): Promise<Row[]> {
  const size = { accounts, prompts: 1 };
  const [quiet, busy] = [await startEmbedded(none, size), await startEmbedded(open, size)];
  const rows: Row[] = [];
  try {
    await applyLoad({ ...load, ports: busy.ports, keysFile: busy.seeded.keysFile, seconds: 3 });
    const before = memoryOf(busy);
    const streams = await openAll(busy);
    await delay(settleMs);
    const kibEach = ((memoryOf(busy) - before) * 1024) / streamCount;
    const contenders = [quiet, busy].map(({ name, ports, pids, seeded }) => ({
      name,
      pids,
      load: { ...load, ports, keysFile: seeded.keysFile },
    }));
    const work = `get one prompt; ${kibEach.toFixed(1)} KiB a stream (goal ≤ 30)`;
    rows.push(...addRatios(none, await compare('streams', work, contenders, pace), { [open]: '≥ 0.90' }));
    rows.push(await measureMoves('SQLite, the same instance', { product: busy, streams, pace, goal: '≤ 500 ms' }));
    streams.close();
  } finally {
    await quiet.stop();
    await busy.stop();
  }
  rows.push(await measureAcrossInstances(pace));
  return rows;
}

async function measureAcrossInstances(pace: Pace): Promise<Row> {
  const product = await startOnPostgres('PostgreSQL', { accounts, prompts: 1, instances: 2 });
  try {
    const streams = await openAll(product);
    const row = await measureMoves('PostgreSQL, another instance', { product, streams, pace, goal: '≤ 1,500 ms' });
    streams.close();
    return row;
  } finally {
    await product.stop();
  }
}

/** Opens all streams at the first instance. */
function openAll({ ports: [port = 0], seeded }: Product): Promise<Streams> {
  return openStreams({ port, keys: keysOf(seeded.keysFile), count: streamCount });
}

/** Moves a label in every workspace at once, at the last instance, and waits until all streams have received it. */
async function measureMoves(
  contender: string,
  { product, streams, pace, goal }: { product: Product; streams: Streams; pace: Pace; goal: string },
): Promise<Row> {
  const durations: number[] = [];
  const [pid = 0] = product.pids;
  const cpuBefore = readCpuMs(pid);
  for (let round = 0; round < pace.rounds * 2; round += 1) {
    process.stderr.write(`\r\x1b[Kstreams: label moves: round ${round + 1}: ${contender}`);
    const label = `round-${round}`;
    const reached = streams.untilAll(label);
    const started = performance.now();
    await Promise.all(keysOf(product.seeded.keysFile).map((key) => moveLabel(product.ports.at(-1) ?? 0, key, label)));
    durations.push((await reached) - started);
    // Waits for a random time, so that the move is not synchronized with the check for writes by other instances.
    await delay(Math.random() * 1000);
  }
  process.stderr.write('\r\x1b[K');
  const cpuAfter = readCpuMs(pid);
  return {
    part: 'streams',
    work: `a label move in ${accounts} workspaces, until the last of ${open} knows`,
    contender,
    requestsPerSecond: 1000 / median(durations),
    spread: [1000 / Math.max(...durations), 1000 / Math.min(...durations)],
    p50Ms: median(durations),
    p99Ms: Math.max(...durations),
    // This is the cost for each stream that receives the event.
    cpuMicroseconds:
      cpuBefore === undefined || cpuAfter === undefined ? undefined : ((cpuAfter - cpuBefore) * 1000) / (durations.length * streamCount),
    goal,
  };
}

async function moveLabel(port: number, key: string, label: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${prompt}/labels/${label}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"version":1}',
  });
  if (!response.ok) throw new Error(`A label move failed with ${response.status}`);
}

function keysOf(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}

function memoryOf({ pids: [pid = 0] }: Product): number {
  return residentMib(pid) ?? Number.NaN;
}
