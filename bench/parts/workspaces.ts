import { type Product, startEmbedded, startOnPostgres } from '../lib/contenders.ts';
import { addRatios, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const without = 'without the header';
const withHeader = 'with the header, as a member';

const workloads = [
  { name: 'verify the key', path: '/api/auth/token' },
  { name: 'list 20 prompts', path: '/api/prompts?limit=20' },
  { name: 'get one prompt', path: '/api/prompts/folder-3%2Fprompt-00003' },
];

/** Compares the requests of 100 accounts in their own workspaces with the same requests as members of one workspace. */
export async function run(pace: Pace): Promise<Row[]> {
  const size = { accounts: 100, prompts: 20, members: true };
  const products = [await startEmbedded('SQLite', size), await startOnPostgres('PostgreSQL', { ...size, instances: 1 })];
  const rows: Row[] = [];
  try {
    for (const product of products) for (const workload of workloads) rows.push(...(await measure(product, workload, pace)));
  } finally {
    for (const product of products) await product.stop();
  }
  return rows;
}

async function measure({ name: engine, ports, pids, seeded }: Product, { name, path }: { name: string; path: string }, pace: Pace) {
  const load = { method: 'GET', path, ports, keysFile: seeded.keysFile, connections };
  const contenders: Contender[] = [
    { name: without, pids, load },
    { name: withHeader, pids, load: { ...load, headers: { 'promptharbor-workspace': seeded.firstId } } },
  ];
  return addRatios(without, await compare('workspaces', `${name}, ${engine}`, contenders, pace), { [withHeader]: '≥ 0.95' });
}
