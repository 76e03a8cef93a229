import { type Product, startEmbedded } from '../lib/contenders.ts';
import { applyLoad, type Load } from '../lib/load.ts';
import { median, type Pace, percentile, type Row } from '../lib/rounds.ts';
import { emailOf, password } from '../lib/seed.ts';

const json = { 'content-type': 'application/json' };

/** The frequent request to measure, and what other clients send at the same time. */
interface Scenario {
  work: string;
  request: { method: string; path: string; body?: string };
  disturbances: Disturbance[];
}

interface Disturbance {
  name: string;
  goal?: string;
  load?: Pick<Load, 'method' | 'path' | 'body' | 'connections'> & { by: 'nobody' | 'the same' | 'another workspace' };
  /** Whether the requests are expected to fail. */
  expectsFailures?: boolean;
}

// This template keeps a child process busy until its timeout.
const expensiveTemplate = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
// This template is rendered in a child process too, but for a short time.
const openTemplate =
  '{% capture list %}{% for a in (1..30) %}{% for b in (1..30) %}{{ a }}{{ b }} {% endfor %}{% endfor %}{% endcapture %}{{ list | strip }}';

const besideVerifications: Disturbance[] = [
  {
    name: 'many logins',
    goal: 'p99 ≤ 3 times',
    load: {
      method: 'POST',
      path: '/api/auth/token',
      body: JSON.stringify({ email: emailOf(0), password }),
      connections: 16,
      by: 'nobody',
    },
  },
  {
    name: 'an expensive template is rendered',
    expectsFailures: true,
    load: { method: 'POST', path: '/api/render', body: JSON.stringify({ template: expensiveTemplate }), connections: 4, by: 'the same' },
  },
  {
    name: 'one client lists 10,000 prompts',
    load: { method: 'GET', path: '/api/prompts?limit=100&search=prompt', connections: 1, by: 'the same' },
  },
];

const scenarios: Scenario[] = [
  { work: 'verify, one client', request: { method: 'GET', path: '/api/auth/token' }, disturbances: besideVerifications },
  {
    work: 'render, one client',
    request: {
      method: 'POST',
      path: '/api/prompts/folder-3%2Fprompt-00003/render',
      body: JSON.stringify({ variables: { customer: 'Ada', request: 'an order' } }),
    },
    disturbances: [
      {
        name: 'another workspace renders open templates',
        goal: 'p99 ≤ 2 times',
        load: {
          method: 'POST',
          path: '/api/render',
          body: JSON.stringify({ template: openTemplate }),
          connections: 4,
          by: 'another workspace',
        },
      },
    ],
  },
];
const idle: Disturbance = { name: 'nothing else' };

interface Latency {
  p50: number;
  p99: number;
  rate: number;
}

/** Measures the latency of frequent requests while the service handles expensive ones. */
export async function run(pace: Pace): Promise<Row[]> {
  const product = await startEmbedded('PromptHarbor, SQLite', { accounts: 1, prompts: 10_000 });
  const rows: Row[] = [];
  try {
    const keys = { 'the same': product.seeded.firstKey, 'another workspace': await register(product) };
    for (const { work, request, disturbances } of scenarios) {
      const all = [idle, ...disturbances];
      const results = new Map(all.map(({ name }): [string, Latency[]] => [name, []]));
      for (let round = 0; round < pace.rounds; round += 1) {
        for (const disturbance of all) {
          process.stderr.write(`\r\x1b[Kmixed: ${work}: round ${round + 1} of ${pace.rounds}: ${disturbance.name}`);
          results.get(disturbance.name)?.push(await measure(product, { request, disturbance, keys, seconds: pace.seconds }));
        }
      }
      rows.push(...toRows(work, all, results));
    }
    process.stderr.write('\r\x1b[K');
    return rows;
  } finally {
    await product.stop();
  }
}

async function register({ ports: [port] }: Product): Promise<string> {
  const body = JSON.stringify({ email: 'other@example.com', password, name: 'Other' });
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/register`, { method: 'POST', headers: json, body });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as { token: string }).token;
}

interface Measurement {
  request: Scenario['request'];
  disturbance: Disturbance;
  keys: { 'the same': string; 'another workspace': string };
  seconds: number;
}

async function measure(product: Product, { request, disturbance, keys, seconds }: Measurement): Promise<Latency> {
  const { name, load, expectsFailures = false } = disturbance;
  const headersOf = (key: string) => ({ ...json, authorization: `Bearer ${key}` });
  const other =
    load && applyLoad({ ...load, ports: product.ports, headers: load.by === 'nobody' ? json : headersOf(keys[load.by]), seconds });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    const { path, ...init } = request;
    const response = await fetch(`http://127.0.0.1:${product.ports[0]}${path}`, { ...init, headers: headersOf(keys['the same']) });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
    times.push(performance.now() - started);
  }
  const failures = (await other)?.failures ?? 0;
  if (failures > 0 && !expectsFailures) throw new Error(`${failures} requests failed (${name})`);
  times.sort((a, b) => a - b);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), rate: times.length / seconds };
}

function toRows(work: string, disturbances: Disturbance[], results: Map<string, Latency[]>): Row[] {
  const idleMs = median((results.get(idle.name) ?? []).map(({ p99 }) => p99));
  return disturbances.map(({ name, goal }) => {
    const rounds = results.get(name) ?? [];
    const rates = rounds.map(({ rate }) => rate);
    const p99Ms = median(rounds.map(({ p99 }) => p99));
    return {
      part: 'mixed',
      work,
      contender: name,
      requestsPerSecond: median(rates),
      spread: [Math.min(...rates), Math.max(...rates)],
      p50Ms: median(rounds.map(({ p50 }) => p50)),
      p99Ms,
      cpuMicroseconds: undefined,
      ratio: p99Ms / idleMs,
      ...(goal !== undefined && { goal }),
    };
  });
}
