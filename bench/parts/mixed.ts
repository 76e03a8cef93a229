import { type Product, startEmbedded } from '../lib/contenders.ts';
import { applyLoad, type Load } from '../lib/load.ts';
import { median, type Pace, percentile, type Row } from '../lib/rounds.ts';
import { emailOf, password } from '../lib/seed.ts';

const json = { 'content-type': 'application/json' };

interface Disturbance {
  name: string;
  goal?: string;
  load?: Pick<Load, 'method' | 'path' | 'body' | 'connections'> & { withKey: boolean };
  /** Whether its requests are expected to fail. */
  expectsFailures?: boolean;
}

// Keeps a worker busy until its timeout.
const expensiveTemplate = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';

const disturbances: Disturbance[] = [
  { name: 'nothing else' },
  {
    name: 'many logins',
    goal: 'p99 ≤ 3 times',
    load: {
      method: 'POST',
      path: '/api/auth/token',
      body: JSON.stringify({ email: emailOf(0), password }),
      connections: 16,
      withKey: false,
    },
  },
  {
    name: 'an expensive template is rendered',
    expectsFailures: true,
    load: { method: 'POST', path: '/api/render', body: JSON.stringify({ template: expensiveTemplate }), connections: 4, withKey: true },
  },
  {
    name: 'one client lists 10,000 prompts',
    load: { method: 'GET', path: '/api/prompts?limit=100&search=prompt', connections: 1, withKey: true },
  },
];

/** The latency of key verification while the service handles expensive requests. */
export async function run({ rounds, seconds }: Pace): Promise<Row[]> {
  const product = await startEmbedded('PromptHarbor, SQLite', { accounts: 1, prompts: 10_000 });
  try {
    const results = new Map(disturbances.map(({ name }): [string, { p50: number; p99: number; rate: number }[]] => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const disturbance of disturbances) {
        process.stderr.write(`\r\x1b[Kmixed: round ${round + 1} of ${rounds}: ${disturbance.name}`);
        results.get(disturbance.name)?.push(await measure(product, disturbance, seconds));
      }
    }
    process.stderr.write('\r\x1b[K');
    return toRows(results);
  } finally {
    await product.stop();
  }
}

async function measure(
  product: Product,
  { name, load, expectsFailures = false }: Disturbance,
  seconds: number,
): Promise<{ p50: number; p99: number; rate: number }> {
  const authorization = `Bearer ${product.seeded.firstKey}`;
  const other = load && applyLoad({ ...load, ports: product.ports, headers: { ...json, ...(load.withKey && { authorization }) }, seconds });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${product.ports[0]}/api/auth/token`, { headers: { authorization } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`A verification returned ${response.status}`);
    times.push(performance.now() - started);
  }
  const failures = (await other)?.failures ?? 0;
  if (failures > 0 && !expectsFailures) throw new Error(`${failures} requests failed (${name})`);
  times.sort((a, b) => a - b);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), rate: times.length / seconds };
}

function toRows(results: Map<string, { p50: number; p99: number; rate: number }[]>): Row[] {
  const idle = median((results.get('nothing else') ?? []).map(({ p99 }) => p99));
  return disturbances.map(({ name, goal }) => {
    const rounds = results.get(name) ?? [];
    const rates = rounds.map(({ rate }) => rate);
    const p99Ms = median(rounds.map(({ p99 }) => p99));
    return {
      part: 'mixed',
      work: 'verify, one client',
      contender: name,
      requestsPerSecond: median(rates),
      spread: [Math.min(...rates), Math.max(...rates)],
      p50Ms: median(rounds.map(({ p50 }) => p50)),
      p99Ms,
      cpuMicroseconds: undefined,
      ratio: p99Ms / idle,
      ...(goal !== undefined && { goal }),
    };
  });
}
