import { readFileSync, writeFileSync } from 'node:fs';
import { type Product, startCopy, startEmbedded } from '../lib/contenders.ts';
import { addRatios, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const goal = '≥ 0.90';
const manyAccounts = 1_000_000;

/** Compares the same requests on small and large databases. */
export async function run(pace: Pace): Promise<Row[]> {
  return [...(await compareAccounts(pace)), ...(await comparePrompts(pace))];
}

/** Measures the cost of more accounts, and of more active accounts, each of which is looked up and counted separately. */
async function compareAccounts(pace: Pace): Promise<Row[]> {
  const path = '/api/auth/token';
  const small = await startEmbedded('100 accounts', { accounts: 100, prompts: 0 });
  const large = await startEmbedded('1,000,000 accounts', { accounts: manyAccounts, prompts: 0 });
  // The bare server is measured for its p99, which shows what the load alone costs.
  const bare = await startCopy('bare', small, path);
  const few = `${large.name}, 100 active`;
  const all = `${large.name}, all active`;
  try {
    const contenders = [
      toContender('bare node:http', { ...small, ports: [bare.port], pids: [bare.pid] }, path),
      toContender(small.name, small, path),
      toContender(few, large, path, writeFewKeys(large)),
      toContender(all, large, path),
    ];
    return addRatios(small.name, await compare('scale', 'verify a random key', contenders, pace), { [few]: goal });
  } finally {
    await bare.stop();
    await small.stop();
    await large.stop();
  }
}

async function comparePrompts(pace: Pace): Promise<Row[]> {
  const small = await startEmbedded('20 prompts', { accounts: 1, prompts: 20 });
  const large = await startEmbedded('10,000 prompts', { accounts: 1, prompts: 10_000 });
  try {
    const contenders = [small, large].map((product) => toContender(product.name, product, '/api/prompts?limit=20'));
    return addRatios(small.name, await compare('scale', 'first page of 20', contenders, pace), { [large.name]: goal });
  } finally {
    await small.stop();
    await large.stop();
  }
}

function toContender(name: string, { ports, pids, seeded }: Product, path: string, keysFile = seeded.keysFile): Contender {
  return { name, pids, load: { ports, method: 'GET', path, keysFile, connections } };
}

function writeFewKeys({ seeded }: Product): string {
  const file = `${seeded.keysFile}-few`;
  writeFileSync(file, readFileSync(seeded.keysFile, 'utf8').split('\n').slice(0, 100).join('\n'));
  return file;
}
