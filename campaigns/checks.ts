import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readCpuMs } from '../bench/lib/cpu-time.ts';
import { residentMib } from '../bench/lib/processes.ts';
import { median, percentile } from '../bench/lib/rounds.ts';
import type { Check } from '../src/contract/checks.ts';
import { call, register, type TestAccount } from '../test/support/client.ts';
import { startRawServer } from '../test/support/models.ts';
import { type ServedProgram, serveProgram } from '../test/support/process.ts';
import { type Observation, startObserver } from './lib/observer.ts';

const caseCount = 200;
const parallel = 8;
const rounds = 12;
/** The number of warm-up rounds, during which the heap grows to the size that the garbage collector allows. */
const warmUpRounds = 6;
const pauseMs = 5;
/** The number of chunks that the model sends, and the delay between them. */
const model = { chunks: 10, chunkMs: 30 };
const goals = { latencyRatio: 2, memoryRatio: 1.1 };
const kinds = ['health', 'save', 'render'] as const;

/**
 * Runs 200 test cases with two versions at once, 8 of each in parallel, alternating with idle time. Measures the effect on requests of
 * another workspace, and whether memory grows.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-checks-'));
  const server = await startModel();
  const program = await serveProgram({ DATA_DIR: folder, LOG_LEVEL: 'error', OUTBOUND_ALLOW: '127.0.0.1' });
  try {
    const { pid = 0 } = program.child;
    const account = await prepare(program, server.url);
    const other = await register(program);
    await send(program, other, '/api/prompts', { name: 'a', template: 'Hello {{ name }}' });
    const observer = startObserver({ url: program.url, key: other.token, pauseMs });
    const results: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await observer.take();
      await delay(8000);
      const idle = await observer.take();
      const started = performance.now();
      await Promise.all([1, 2].map((version) => checkVersion(program, account, version)));
      const seconds = (performance.now() - started) / 1000;
      const busy = await observer.take();
      const memoryMib = residentMib(pid) ?? Number.NaN;
      results.push({ idle, busy, memoryMib });
      print(`round ${round} of ${rounds}: ${seconds.toFixed(1)} s, ${memoryMib.toFixed(0)} MiB`);
    }
    await observer.stop();
    report(results);
    const before = readCpuMs(pid) ?? Number.NaN;
    await Promise.all([1, 2].map((version) => checkVersion(program, account, version)));
    const cpu = ((readCpuMs(pid) ?? Number.NaN) - before) / (2 * caseCount);
    print(`cpu     ${cpu.toFixed(1)} ms of the service for a case, without its child processes`);
    assert.doesNotMatch(program.stdout(), /"level":"(error|fatal)"/, 'nothing went wrong inside the service');
  } finally {
    await program.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Round {
  idle: Observation;
  busy: Observation;
  memoryMib: number;
}

/** Starts a model that repeats its input in chunks. */
async function startModel() {
  return startRawServer(async (_req, res, body) => {
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const send = (delta: object, finish: string | null = null) =>
      res.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let chunk = 0; chunk < model.chunks; chunk += 1) {
      send({ content: `${messages[0]?.content} ` });
      await delay(model.chunkMs);
    }
    send({}, 'stop');
    res.end('data: [DONE]\n\n');
  });
}

async function prepare(program: ServedProgram, modelUrl: string): Promise<TestAccount> {
  const account = await register(program);
  await send(program, account, '/api/models', { name: 'Model', baseUrl: modelUrl, models: ['some-model'] });
  await send(program, account, '/api/prompts', { name: 'p', template: 'Hello {{ name }}' });
  await send(program, account, '/api/prompts/p/versions', { template: 'Good day {{ name }}' });
  const data = Array.from({ length: caseCount }, (_, index) => ({
    name: `Case ${index}`,
    variables: { name: `Customer ${index}, ${'who writes much. '.repeat(20)}` },
    checks: [
      { kind: 'contains', value: `Customer ${index}` },
      { kind: 'matches', value: '(Hello|Good day) Customer \\d+' },
      { kind: 'maxTokens', value: 5000 },
    ],
  }));
  await send(program, account, '/api/prompts/p/cases/import', { data });
  return account;
}

async function checkVersion(program: ServedProgram, { token: key }: TestAccount, version: number): Promise<void> {
  const body = { version, connection: 'Model', parallel };
  const response = await call(program, 'POST', '/api/prompts/p/checks', { key, body, headers: { accept: 'application/json' } });
  assert.equal(response.status, 200, response.text);
  assert.equal((response.body as Check).passed, caseCount);
}

async function send(program: ServedProgram, { token: key }: TestAccount, path: string, body: object): Promise<void> {
  const { status, text } = await call(program, 'POST', path, { key, body });
  assert.equal(status, 201, text);
}

function report(results: Round[]): void {
  const p99Of = (times: number[]) =>
    percentile(
      times.toSorted((one, another) => one - another),
      0.99,
    );
  const rows = kinds.map((kind) => {
    const p99 = (state: 'idle' | 'busy') => median(results.map((round) => p99Of(round[state][kind])));
    const [idle, busy] = [p99('idle'), p99('busy')];
    return { kind, idle, busy, ratio: busy / idle };
  });
  for (const { kind, idle, busy, ratio } of rows) {
    print(`${kind.padEnd(7)} p99 ${idle.toFixed(1)} ms idle, ${busy.toFixed(1)} ms during checks: ${ratio.toFixed(2)} times`);
  }
  const memory = results.slice(warmUpRounds).map(({ memoryMib }) => memoryMib);
  const [first, last] = [median(memory.slice(0, memory.length / 2)), median(memory.slice(memory.length / 2))];
  print(
    `memory  ${first.toFixed(0)} MiB after ${warmUpRounds} rounds, ${last.toFixed(0)} MiB at the end: ${(last / first).toFixed(2)} times`,
  );
  const failures = results.flatMap(({ idle, busy }) => [...idle.failures.map((text) => `idle: ${text}`), ...busy.failures]);
  if (failures.length > 0) print(`FAILED  ${failures.length} requests, such as ${failures[0]}`);
  const isMissed = rows.some(({ ratio }) => ratio > goals.latencyRatio) || last / first > goals.memoryRatio;
  if (isMissed) print(`FAILED  the goals are p99 at most ${goals.latencyRatio} times idle, and memory at most ${goals.memoryRatio} times`);
  if (isMissed || failures.length > 0) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
