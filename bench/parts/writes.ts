import { startEmbedded, startOnPostgres } from '../lib/contenders.ts';
import { compare, type Pace, percentile, type Row } from '../lib/rounds.ts';
import { emailOf, password } from '../lib/seed.ts';

const connections = 16;
const json = { 'content-type': 'application/json' };

/** Measures writes, which are on disk before the response is sent, and requests that are expensive by design. */
export async function run(pace: Pace): Promise<Row[]> {
  const products = [
    await startEmbedded('PromptHarbor, SQLite', { accounts: 100, prompts: 20 }),
    await startOnPostgres('PromptHarbor, PostgreSQL, 1 instance', { accounts: 100, prompts: 20, instances: 1 }),
  ];
  const rows: Row[] = [];
  try {
    for (const workload of workloads) {
      const contenders = products.map(({ name, ports, pids, seeded }) => ({
        name,
        pids,
        load: {
          ports,
          connections,
          headers: json,
          ...workload.load,
          ...(workload.load.path !== loginPath && { keysFile: seeded.keysFile }),
        },
      }));
      rows.push(...(await compare('writes', workload.name, contenders, pace)));
    }
    for (const product of products) rows.push(await measureResets(product.name, product.ports[0] ?? 0, product.seeded.firstKey, pace));
  } finally {
    for (const product of products) await product.stop();
  }
  return rows;
}

const loginPath = '/api/auth/token';
const promptPath = '/api/prompts/folder-3%2Fprompt-00003';
const workloads = [
  {
    name: 'create a version',
    load: { method: 'POST', path: `${promptPath}/versions`, body: JSON.stringify({ template: 'Hello {{ name }}' }) },
  },
  {
    name: 'render',
    load: {
      method: 'POST',
      path: `${promptPath}/render`,
      body: JSON.stringify({ label: 'production', variables: { customer: 'Ada', request: 'x', name: 'Ada' } }),
    },
  },
  { name: 'log in', load: { method: 'POST', path: loginPath, body: JSON.stringify({ email: emailOf(0), password }) } },
];

/** A reset invalidates the key that was used for it, so one client resets its key repeatedly. */
async function measureResets(contender: string, port: number, firstKey: string, { rounds, seconds }: Pace): Promise<Row> {
  const times: number[] = [];
  let key = firstKey;
  const end = performance.now() + rounds * seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/token`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    });
    key = ((await response.json()) as { token: string }).token;
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const rate = times.length / (rounds * seconds);
  return {
    part: 'writes',
    work: 'reset the key, one client',
    contender,
    requestsPerSecond: rate,
    spread: [rate, rate],
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuMicroseconds: undefined,
  };
}
