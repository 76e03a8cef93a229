import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sqliteFileIn } from '../../src/store/engine/sqlite.ts';
import { type ServerProcess, startServer } from '../lib/processes.ts';
import { type Pace, percentile, type Row } from '../lib/rounds.ts';
import { type Seeded, seed } from '../lib/seed.ts';

const product = `${import.meta.dirname}/../../bin/promptharbor.js`;
const execute = promisify(execFile);
const fillerBytes = 1024 * 1024 * 1024;
const readEveryMs = 4;
const writeEveryMs = 40;
const idle = 'idle';
const during = 'during a backup of 1 GB';

/** Requests at a fixed rate, without and with a backup, alternately: p99 should at most double. */
export async function run({ rounds }: Pace): Promise<Row[]> {
  const seeded = await seed({ accounts: 1, prompts: 200 });
  inflate(seeded);
  const server = await startServer([product, 'serve'], seeded.env);
  const target = join(seeded.env.DATA_DIR ?? '', 'copy');
  const samples = { [idle]: newSamples(), [during]: newSamples() };
  const durations: number[] = [];
  try {
    await measure(server, seeded, newSamples(), delay(2000));
    for (let round = 0; round < rounds; round += 1) {
      process.stderr.write(`\r\x1b[Kbackup: round ${round + 1} of ${rounds}`);
      const started = performance.now();
      await measure(server, seeded, samples[during], execute(process.execPath, [product, 'backup', target], { env: { ...seeded.env } }));
      durations.push(performance.now() - started);
      rmSync(target);
      await measure(server, seeded, samples[idle], delay(performance.now() - started));
    }
  } finally {
    process.stderr.write('\r\x1b[K');
    await server.stop();
    seeded.remove();
  }
  const seconds = durations.reduce((sum, ms) => sum + ms, 0) / 1000;
  return (['reads', 'writes'] as const).flatMap((work) => {
    const idleP99 = percentile(samples[idle][work].toSorted(byValue), 0.99);
    return ([idle, during] as const).map((contender) => toRow({ work, contender, times: samples[contender][work], seconds, idleP99 }));
  });
}

interface Samples {
  reads: number[];
  writes: number[];
}

const newSamples = (): Samples => ({ reads: [], writes: [] });
const byValue = (one: number, other: number) => one - other;

/** Sends requests until `work` is done, however long each takes: a delay counts for every request that it holds up. */
async function measure({ port }: ServerProcess, { firstKey }: Seeded, samples: Samples, work: Promise<unknown>): Promise<void> {
  const pending = new Set<Promise<void>>();
  let count = 0;
  const send = (times: number[], request: () => Promise<Response>) => {
    const started = performance.now();
    const sent = request().then(async (response) => {
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`Status ${response.status}`);
      times.push(performance.now() - started);
      pending.delete(sent);
    });
    pending.add(sent);
  };
  const headers = { authorization: `Bearer ${firstKey}`, 'content-type': 'application/json' };
  const urlOf = (index: number) => `http://127.0.0.1:${port}/api/prompts/folder-${index % 10}%2Fprompt-${String(index).padStart(5, '0')}`;
  const reads = setInterval(() => send(samples.reads, () => fetch(urlOf(count++ % 200), { headers })), readEveryMs);
  const body = JSON.stringify({ template: 'Hello {{ name }}' });
  const writes = setInterval(
    () => send(samples.writes, () => fetch(`${urlOf(count++ % 200)}/versions`, { method: 'POST', headers, body })),
    writeEveryMs,
  );
  await work;
  clearInterval(reads);
  clearInterval(writes);
  await Promise.all(pending);
}

/** Adds runs until the file has the size, bypassing the store. */
function inflate({ env, firstId }: Seeded): void {
  const file = sqliteFileIn(env.DATA_DIR ?? '');
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  const insert = db.prepare(
    `insert into prompt_runs (account_id, prompt_id, id, bytes, created_at, summary, detail)
    select account_id, id, ?, 100000, ?, '{}', hex(randomblob(50000)) from prompts where account_id = ? limit 1`,
  );
  const now = new Date().toISOString();
  for (let index = 0; index * 100_000 < fillerBytes; index += 1) insert.run(`r_${index}`, now, firstId);
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  if (statSync(file).size < fillerBytes) throw new Error(`${file} is too small`);
}

interface Measured {
  work: string;
  contender: string;
  times: number[];
  seconds: number;
  idleP99: number;
}

function toRow({ work, contender, times, seconds, idleP99 }: Measured): Row {
  const sorted = times.toSorted(byValue);
  const rate = times.length / seconds;
  const p99Ms = percentile(sorted, 0.99);
  return {
    part: 'backup',
    work: `${work} at a fixed rate; slowest ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`,
    contender,
    requestsPerSecond: rate,
    spread: [rate, rate],
    p50Ms: percentile(sorted, 0.5),
    p99Ms,
    cpuMicroseconds: undefined,
    ...(contender !== idle && { ratio: p99Ms / idleP99, goal: 'p99 ≤ 2 times' }),
  };
}
