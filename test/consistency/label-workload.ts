import { setTimeout as delay } from 'node:timers/promises';
import { type ApiResponse, call, register } from '../support/client.ts';
import type { LabelRead, Move } from './label-history.ts';
import type { Target } from './workload.ts';

export interface LabelWorkload {
  moves: Move[];
  reads: LabelRead[];
  /** Unexpected responses: neither a success nor a 503 or 429 with Retry-After. */
  surprises: string[];
  stop(): Promise<void>;
}

const promptCount = 4;
const versionCount = 4;
const readerCount = 4;
const pauseMs = 100;
// Clients give up after this time, which is longer than the service ever makes a caller wait, even when it is paused.
const giveUpMs = 20_000;

/** Moves and reads the labels of a few prompts at random targets, and records every move and read. */
export async function startLabelWorkload(targets: readonly Target[]): Promise<LabelWorkload> {
  const [first] = targets;
  if (!first) throw new Error('No targets');
  const { token: key } = await register(first);
  const moves: Move[] = [];
  const reads: LabelRead[] = [];
  const surprises: string[] = [];
  let running = true;
  let created = 0;

  /** Returns the response to a successful request, or nothing if the database was unavailable. */
  async function send(method: string, path: string, body?: unknown): Promise<ApiResponse | undefined> {
    try {
      const signal = AbortSignal.timeout(giveUpMs);
      const response = await call(pick(targets), method, `/api/prompts${path}`, { key, body, signal });
      if (response.status < 300) return response;
      if (!isUnavailable(response)) {
        surprises.push(`${method} ${path}: ${response.status} ${response.text}`);
      }
    } catch (err) {
      if (err instanceof Error && err.name === 'TimeoutError') surprises.push(`${method} ${path}: no response within ${giveUpMs} ms`);
    }
    return undefined;
  }

  /** Creates a prompt whose label has a known history. */
  async function createPrompt(): Promise<string> {
    for (;;) {
      created += 1;
      const name = `prompt-${created}`;
      const responses = [await send('POST', '', { name, template: '1' })];
      for (let version = 2; version <= versionCount; version += 1) {
        if (responses.every(Boolean)) responses.push(await send('POST', `/${name}/versions`, { template: String(version) }));
      }
      if (responses.every(Boolean) || !running) return name;
      await delay(pauseMs);
    }
  }

  async function move(prompt: string): Promise<boolean> {
    const to = 1 + Math.floor(Math.random() * versionCount);
    // The move is recorded before it is sent, because other clients may see its effect before its response arrives.
    const move: Move = { prompt, to, start: performance.now(), end: Infinity, outcome: 'unknown' };
    moves.push(move);
    const isConfirmed = (await send('PUT', `/${prompt}/labels/production`, { version: to })) !== undefined;
    Object.assign(move, { end: performance.now(), outcome: isConfirmed ? 'confirmed' : 'unknown' });
    return isConfirmed;
  }

  async function read(prompt: string): Promise<void> {
    const start = performance.now();
    const response = await send('GET', `/${prompt}`);
    // The contract guarantees this shape.
    if (response) reads.push({ prompt, version: (response.body as { version: number }).version, start, end: performance.now() });
  }

  const prompts: string[] = [];
  while (prompts.length < promptCount) prompts.push(await createPrompt());
  const movers = prompts.map(async (_prompt, index) => {
    while (running) {
      // A move that was not confirmed may still take effect later, so the prompt is replaced by another one.
      if (!(await move(prompts[index] ?? ''))) prompts[index] = await createPrompt();
      await delay(2 * pauseMs * Math.random());
    }
  });
  const readers = Array.from({ length: readerCount }, async () => {
    while (running) {
      await read(pick(prompts));
      await delay(pauseMs);
    }
  });

  return {
    moves,
    reads,
    surprises,
    async stop() {
      running = false;
      await Promise.all([...movers, ...readers]);
    },
  };
}

/** Returns whether the database was unavailable. The status is 429 if all of the workspace's slots wait for the database. */
function isUnavailable({ status, headers }: ApiResponse): boolean {
  return (status === 503 || status === 429) && headers.get('retry-after') !== null;
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
}
