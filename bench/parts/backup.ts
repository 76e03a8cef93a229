import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';
import { type ServerProcess, startServer } from '../lib/processes.ts';
import { type Pace, percentile, type Row } from '../lib/rounds.ts';
import { type Seeded, seed } from '../lib/seed.ts';

const product = `${import.meta.dirname}/../../bin/promptharbor.js`;
const execute = promisify(execFile);
const fillerBytes = 1024 * 1024 * 1024;
/** The number of clients. Each client has a separate workspace, because the requests of one workspace wait for each other. */
const workspaces = 5;
const writers = 1;
const promptsEach = 200;
const pauseMs = 5;
const body = JSON.stringify({ template: 'Hello {{ name }}' });
const idle = 'idle';
const during = 'during a backup of 1 GB';

/** Measures a few clients without and with a backup, alternately. The p99 should at most double. */
export async function run({ rounds }: Pace): Promise<Row[]> {
  const seeded = await seed({ accounts: workspaces, prompts: promptsEach });
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

/** Lets each client send one request after another until `work` is done. */
async function measure({ port }: ServerProcess, { keysFile }: Seeded, samples: Samples, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const keys = readFileSync(keysFile, 'utf8').split('\n');
  const clients = keys.map(async (key, client) => {
    const isWriter = client < writers;
    const times = isWriter ? samples.writes : samples.reads;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (let count = 0; !isDone; count += 1) {
      const index = count % promptsEach;
      const url = `http://127.0.0.1:${port}/api/prompts/folder-${index % 10}%2Fprompt-${String(index).padStart(5, '0')}`;
      const started = performance.now();
      const response = await (isWriter ? fetch(`${url}/versions`, { method: 'POST', headers, body }) : fetch(url, { headers }));
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`Status ${response.status}`);
      times.push(performance.now() - started);
      await delay(pauseMs);
    }
  });
  await Promise.race([work, ...clients]);
  isDone = true;
  await Promise.all(clients);
}

/** Adds runs until the file has the given size, bypassing the store. */
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
    work: `${work} of a few clients; slowest ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`,
    contender,
    requestsPerSecond: rate,
    spread: [rate, rate],
    p50Ms: percentile(sorted, 0.5),
    p99Ms,
    cpuMicroseconds: undefined,
    ...(contender !== idle && { ratio: p99Ms / idleP99, goal: 'p99 ≤ 2 times' }),
  };
}
