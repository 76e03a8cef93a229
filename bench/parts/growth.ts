import { PromptHarbor } from '../../client/src/client.ts';
import { formatLine } from '../../src/contract/transfer-format.ts';
import { startEmbedded } from '../lib/contenders.ts';
import { median, type Pace, percentile, type Row } from '../lib/rounds.ts';

/** A quantity that grows, and the requests that one client then sends. */
interface Axis {
  name: string;
  sizes: number[];
  format(size: number): string;
  /** Writes the content of a workspace of this size. */
  fill(client: PromptHarbor, size: number): Promise<unknown>;
  requests(size: number): Record<string, Request>;
}

interface Request {
  path: string;
  body?: object;
}

const roundsPerPoint = 20;
const variables = { customer: 'Ada', request: 'an order' };
const sentence = 'You help {{ customer }} with {{ request }}, in at most three sentences. ';
const quotas = { QUOTA_PROMPTS: '1000000', QUOTA_VERSIONS: '1000000', QUOTA_CONTENT_MIB: '100000' };

const axes: Axis[] = [
  {
    name: 'prompts in a workspace',
    sizes: [100, 1000, 10_000, 100_000],
    format: toCount,
    fill: (client, size) => client.import(makePrompts(size)),
    requests: (size) => {
      const name = encodeURIComponent(nameOf(Math.floor(Math.random() * size)));
      return {
        save: { path: `/api/prompts/${name}/versions`, body: { template: sentence } },
        'get a prompt': { path: `/api/prompts/${name}` },
        'get it again': { path: `/api/prompts/${name}` },
        render: { path: `/api/prompts/${name}/render`, body: { variables } },
        'list 20': { path: '/api/prompts?limit=20' },
        'search for a name': { path: `/api/prompts?limit=20&search=${Math.floor(Math.random() * size)}` },
      };
    },
  },
  {
    name: 'versions of a prompt',
    sizes: [1, 100, 1000, 10_000],
    format: toCount,
    fill: async (client, size) => {
      await create(client, sentence);
      for (let version = 2; version <= size; version += 1) {
        await client.request({ method: 'POST', path: '/api/prompts/a/versions', body: { template: `${sentence}${version}` } });
      }
    },
    requests: (size) => ({
      save: { path: '/api/prompts/a/versions', body: { template: sentence } },
      'get a version': { path: `/api/prompts/a/versions/${1 + Math.floor(Math.random() * size)}` },
      'get the latest': { path: '/api/prompts/a?label=latest' },
      'get it again': { path: '/api/prompts/a?label=latest' },
      render: { path: '/api/prompts/a/render', body: { variables } },
      'list 20 versions': { path: '/api/prompts/a/versions?limit=20' },
    }),
  },
  {
    name: 'size of a template',
    sizes: [1, 4, 16, 64, 256],
    format: (size) => `${size} KB`,
    fill: (client, size) => create(client, templateOf(size)),
    requests: (size) => ({
      save: { path: '/api/prompts/a/versions', body: { template: templateOf(size) } },
      'get a prompt': { path: '/api/prompts/a' },
      'get it again': { path: '/api/prompts/a' },
      render: { path: '/api/prompts/a/render', body: { variables } },
      'render it again': { path: '/api/prompts/a/render', body: { variables } },
    }),
  },
];

/** Measures how long one client waits as a workspace grows. Each round starts with a save, so that only repeated requests are cached. */
export async function run({ rounds }: Pace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const axis of axes) {
    const points: Row[] = [];
    for (const size of axis.sizes) {
      process.stderr.write(`\r\x1b[Kgrowth: ${axis.name}: ${axis.format(size)}`);
      points.push(...(await measure(axis, size, rounds * roundsPerPoint)));
    }
    rows.push(...addGrowth(points));
  }
  process.stderr.write('\r\x1b[K');
  return rows;
}

async function measure(axis: Axis, size: number, rounds: number): Promise<Row[]> {
  const product = await startEmbedded('', { accounts: 1, prompts: 0 }, quotas);
  const baseUrl = `http://127.0.0.1:${product.ports[0]}`;
  const apiKey = product.seeded.firstKey;
  try {
    await axis.fill(new PromptHarbor({ baseUrl, apiKey, timeoutMs: 600_000, retries: 30 }), size);
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const [work, request] of Object.entries(axis.requests(size))) {
        const taken = times.get(work) ?? [];
        taken.push(await send(baseUrl, apiKey, request));
        times.set(work, taken);
      }
    }
    return [...times].map(([work, taken]) => toRow(`${axis.name}: ${work}`, axis.format(size), taken));
  } finally {
    await product.stop();
  }
}

/** Returns the duration in ms. */
async function send(baseUrl: string, apiKey: string, { path, body }: Request): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
  return performance.now() - started;
}

function toRow(work: string, contender: string, times: number[]): Row {
  const sorted = times.toSorted((one, other) => one - other);
  const p50Ms = median(sorted);
  return {
    part: 'growth',
    work,
    contender,
    requestsPerSecond: 1000 / p50Ms,
    spread: [1000 / (sorted.at(-1) ?? Number.NaN), 1000 / (sorted[0] ?? Number.NaN)],
    p50Ms,
    p99Ms: percentile(sorted, 0.99),
    cpuMicroseconds: undefined,
  };
}

/** Adds the duration relative to the smallest size. */
function addGrowth(rows: Row[]): Row[] {
  return [...Map.groupBy(rows, ({ work }) => work).values()].flatMap(([smallest, ...others]) =>
    smallest ? [smallest, ...others.map((row) => ({ ...row, ratio: row.p50Ms / smallest.p50Ms }))] : [],
  );
}

function create(client: PromptHarbor, template: string): Promise<unknown> {
  return client.request({ method: 'POST', path: '/api/prompts', body: { name: 'a', template } });
}

function* makePrompts(count: number): Generator<string> {
  yield formatLine;
  const at = '2026-01-01T00:00:00.000Z';
  for (let index = 0; index < count; index += 1) {
    const times = { lastVersion: 1, lastEvent: null, createdAt: at, updatedAt: at };
    yield JSON.stringify({
      kind: 'prompt',
      name: nameOf(index),
      type: 'text',
      description: '',
      tags: ['bench'],
      labels: { production: 1 },
      ...times,
    });
    const by = { name: 'Bench', via: 'api' };
    const version = { version: 1, syntax: 'liquid', template: sentence, config: {}, message: '', createdAt: at, by };
    yield JSON.stringify({ kind: 'version', ...version });
  }
}

function nameOf(index: number): string {
  return `folder-${index % 10}/prompt-${String(index).padStart(6, '0')}`;
}

/** Returns a template of this many kilobytes, each with two variables. */
function templateOf(kilobytes: number): string {
  return sentence.padEnd(1000, 'Plain text is most of a long prompt. ').repeat(kilobytes);
}

function toCount(size: number): string {
  return size.toLocaleString('en-US');
}
