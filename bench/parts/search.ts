import { readFileSync } from 'node:fs';
import { PromptHarbor } from '../../client/src/client.ts';
import { formatLine } from '../../src/contract/transfer-format.ts';
import { startEmbedded } from '../lib/contenders.ts';
import { median, type Pace, percentile, type Row } from '../lib/rounds.ts';

const promptCount = 20_000;
const promptBytes = 2000;
const atOnce = 8;
const searchesPerRound = 5;

/** Each request differs from all others, because an equal one would be served from the cache. */
let requests = 0;
const limit = () => `limit=${100 - (requests % 50)}`;
const searches: Record<string, () => string> = {
  'a phrase in one prompt': () => `/api/prompts?${limit()}&search=${encodeURIComponent(`case ${nextNumber()} of the archive`)}`,
  'a phrase in none': () => `/api/prompts?${limit()}&search=${encodeURIComponent(`nobody asked ${nextNumber()} times`)}`,
  'a common word': () => `/api/prompts?${limit()}&search=${words[nextNumber() % words.length]}`,
};
const pages: Record<string, () => string> = {
  'a page by number, by tag and label': () =>
    `/api/public/v2/prompts?limit=100&page=${1 + (nextNumber() % (promptCount / 100))}&tag=bench&label=production`,
};

const words =
  'customer order request answer language support ticket refund polite summary sentence context format output example instruction always never before after please quickly extract classify translate rewrite the of and to in is you that for with'.split(
    ' ',
  );

function nextNumber(): number {
  requests += 1;
  return (requests * 7919) % promptCount;
}

interface Caller {
  baseUrl: string;
  apiKey: string;
}

/** Measures searches in a full workspace, one at a time and eight at once, and their effect on another account. */
export async function run({ rounds, seconds }: Pace): Promise<Row[]> {
  const product = await startEmbedded('', { accounts: 2, prompts: 0 });
  try {
    const baseUrl = `http://127.0.0.1:${product.ports[0]}`;
    const [reader = '', other = ''] = readFileSync(product.seeded.keysFile, 'utf8').split('\n');
    const caller = { baseUrl, apiKey: reader };
    process.stderr.write('search: importing prompts');
    await new PromptHarbor({ ...caller, timeoutMs: 600_000, retries: 30 }).import(makePrompts());
    const works = Object.entries({ ...searches, ...pages });
    const alone = new Map(works.map(([name]): [string, number[]] => [name, []]));
    const together = new Map(works.map(([name]): [string, number[]] => [name, []]));
    const idle: number[] = [];
    const meanwhile = new Map(works.map(([name]): [string, number[]] => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      process.stderr.write(`\r\x1b[Ksearch: round ${round + 1} of ${rounds}`);
      const verifier = { baseUrl, apiKey: other };
      idle.push(...(await verifyWhile(verifier, waitFor(seconds * 1000))));
      for (const [name, toPath] of works) {
        for (let count = 0; count < searchesPerRound; count += 1) alone.get(name)?.push(await send(caller, toPath()));
        const waits = sendTogether(caller, toPath, seconds * 1000);
        meanwhile.get(name)?.push(...(await verifyWhile(verifier, waits)));
        together.get(name)?.push(...(await waits));
      }
    }
    process.stderr.write('\r\x1b[K');
    const reference = toRow('verify of another account', 'nothing else', idle);
    return [
      ...works.map(([name]) => ({ ...toRow('one at a time', name, alone.get(name) ?? []), goal: 'p50 ≤ 150 ms' })),
      ...works.map(([name]) => {
        const row = toRow(`${atOnce} at once`, name, together.get(name) ?? []);
        return { ...row, ratio: row.p50Ms / toRow('', '', alone.get(name) ?? []).p50Ms, goal: 'p99 ≤ 1,000 ms' };
      }),
      reference,
      ...works.map(([name]) => {
        const row = toRow(reference.work, `${atOnce} at once: ${name}`, meanwhile.get(name) ?? []);
        return { ...row, ratio: row.p99Ms / reference.p99Ms, goal: 'p99 ≤ 3 times' };
      }),
    ];
  } finally {
    await product.stop();
  }
}

/** Sends requests together, repeatedly, and returns how long each of them waited. */
async function sendTogether(caller: Caller, toPath: () => string, durationMs: number): Promise<number[]> {
  const waits: number[] = [];
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    waits.push(...(await Promise.all(Array.from({ length: atOnce }, () => send(caller, toPath())))));
  }
  return waits;
}

/** Verifies a key repeatedly until the work is done, and returns the durations in ms. */
async function verifyWhile(caller: Caller, work: Promise<unknown>): Promise<number[]> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const times: number[] = [];
  while (!isDone) times.push(await send(caller, '/api/auth/token'));
  await done;
  return times;
}

/** Returns the duration in ms. */
async function send({ baseUrl, apiKey }: Caller, path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
  return performance.now() - started;
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function toRow(work: string, contender: string, times: number[]): Row {
  const sorted = times.toSorted((one, other) => one - other);
  return {
    part: 'search',
    work,
    contender,
    requestsPerSecond: 1000 / median(sorted),
    spread: [1000 / (sorted.at(-1) ?? Number.NaN), 1000 / (sorted[0] ?? Number.NaN)],
    p50Ms: median(sorted),
    p99Ms: percentile(sorted, 0.99),
    cpuMicroseconds: undefined,
  };
}

function* makePrompts(): Generator<string> {
  yield formatLine;
  const at = '2026-01-01T00:00:00.000Z';
  const times = { lastVersion: 1, lastEvent: null, createdAt: at, updatedAt: at };
  const by = { name: 'Bench', via: 'api' };
  for (let index = 0; index < promptCount; index += 1) {
    const name = `folder-${index % 10}/prompt-${String(index).padStart(6, '0')}`;
    const labels = { production: 1 };
    yield JSON.stringify({ kind: 'prompt', name, type: 'text', description: 'Answers a customer', tags: ['bench'], labels, ...times });
    const template = `Case ${index} of the archive. ${makeText(index)}`.slice(0, promptBytes);
    yield JSON.stringify({ kind: 'version', version: 1, syntax: 'liquid', template, config: {}, message: '', createdAt: at, by });
  }
}

/** Returns words in an order that differs from prompt to prompt and is the same in every run. */
function makeText(seed: number): string {
  let state = seed;
  const chosen = Array.from({ length: promptBytes / 4 }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return words[Math.floor((state / 2 ** 32) * words.length)];
  });
  return chosen.join(' ');
}
