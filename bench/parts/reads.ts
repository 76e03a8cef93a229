import { type Product, startBetterAuth, startCopy, startEmbedded, startOnPostgres } from '../lib/contenders.ts';
import { addRatios, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const embedded = 'PromptHarbor, SQLite';
const onePostgres = 'PromptHarbor, PostgreSQL, 1 instance';
const threePostgres = 'PromptHarbor, PostgreSQL, 3 instances';
const betterAuthName = "Better Auth's API-key plugin";

interface Workload {
  name: string;
  path: string;
  goals: Record<string, string>;
  withBetterAuth?: boolean;
  /** Sends the ETag of an earlier response. */
  conditional?: boolean;
}

const workloads: Workload[] = [
  {
    name: 'verify the key',
    path: '/api/auth/token',
    goals: { [embedded]: '≥ 0.95', [onePostgres]: '≥ 0.50', [betterAuthName]: 'PromptHarbor ≥ 15 times' },
    withBetterAuth: true,
  },
  { name: 'list 20 prompts', path: '/api/prompts?limit=20', goals: { [embedded]: '≥ 0.95' } },
  { name: 'get one prompt', path: '/api/prompts/folder-3%2Fprompt-00003', goals: { [embedded]: '≥ 0.95' } },
  { name: 'get one prompt, not modified', path: '/api/prompts/folder-3%2Fprompt-00003', goals: {}, conditional: true },
  { name: 'list 20 prompts with content', path: '/api/prompts?include=content', goals: {} },
];

/** Compares the reads of applications with node:http sending the same bytes. */
export async function run(pace: Pace): Promise<Row[]> {
  const products = [
    await startEmbedded(embedded, { accounts: 100, prompts: 20 }),
    await startOnPostgres(onePostgres, { accounts: 100, prompts: 20, instances: 1 }),
    await startOnPostgres(threePostgres, { accounts: 100, prompts: 20, instances: 3 }),
  ];
  const rows: Row[] = [];
  try {
    for (const workload of workloads) rows.push(...(await measure(workload, products, pace)));
  } finally {
    for (const product of products) await product.stop();
  }
  return rows;
}

async function measure(workload: Workload, products: Product[], pace: Pace): Promise<Row[]> {
  const [reference] = products;
  if (!reference) throw new Error('There is no product to measure');
  const headers: Record<string, string> = workload.conditional ? { 'if-none-match': await etagOf(reference, workload.path) } : {};
  const bare = await startCopy('bare', reference, workload.path, headers);
  const fastify = await startCopy('plain-fastify', reference, workload.path, headers);
  const betterAuth = workload.withBetterAuth ? await startBetterAuth() : undefined;
  const betterAuthInMemory = workload.withBetterAuth ? await startBetterAuth({ IN_MEMORY: 'yes' }) : undefined;
  const get = { method: 'GET', path: workload.path, headers, connections };
  // An ETag is valid only for one account, so conditional requests use one key.
  const contenders: Contender[] = [
    { name: 'bare node:http', pids: [bare.pid], load: { ...get, ports: [bare.port], keysFile: reference.seeded.keysFile } },
    { name: 'a plain Fastify route', pids: [fastify.pid], load: { ...get, ports: [fastify.port], keysFile: reference.seeded.keysFile } },
    ...(workload.conditional ? [reference] : products).map(({ name, ports, pids, seeded }) =>
      workload.conditional
        ? { name, pids, load: { ...get, ports, headers: { ...headers, authorization: `Bearer ${seeded.firstKey}` } } }
        : { name, pids, load: { ...get, ports, keysFile: seeded.keysFile } },
    ),
    ...[
      { name: betterAuthName, server: betterAuth },
      { name: 'the same with its keys in memory', server: betterAuthInMemory },
    ].flatMap(({ name, server }) =>
      server ? [{ name, pids: [server.pid], load: { ...get, ports: [server.port], keysFile: server.keysFile } }] : [],
    ),
  ];
  try {
    return addRatios('bare node:http', await compare('reads', workload.name, contenders, pace), workload.goals);
  } finally {
    await bare.stop();
    await fastify.stop();
    await betterAuth?.stop();
    await betterAuthInMemory?.stop();
  }
}

async function etagOf({ ports, seeded }: Product, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${ports[0]}${path}`, { headers: { authorization: `Bearer ${seeded.firstKey}` } });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}
