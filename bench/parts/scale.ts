import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Product, startCopy, startEmbedded } from '../lib/contenders.ts';
import { addRatios, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const goal = '≥ 0.90';
const allActiveGoal = '≥ 0.80';
const manyAccounts = 1_000_000;

/** The same requests on small and large databases. */
export async function run(pace: Pace): Promise<Row[]> {
  return [...(await compareAccounts(pace)), ...(await comparePrompts(pace))];
}

/** The cost of more accounts, and of more active accounts, each of which is looked up and counted separately. */
async function compareAccounts(pace: Pace): Promise<Row[]> {
  const path = '/api/auth/token';
  const small = await startEmbedded('100 accounts', { accounts: 100, prompts: 0 });
  const large = await startEmbedded('1,000,000 accounts', { accounts: manyAccounts, prompts: 0 });
  // For its p99: what the load alone costs.
  const bare = await startCopy('bare', small, path);
  const few = `${large.name}, 100 active`;
  const all = `${large.name}, all active`;
  try {
    await untilIndexed(large);
    const contenders = [
      toContender('bare node:http', { ...small, ports: [bare.port], pids: [bare.pid] }, path),
      toContender(small.name, small, path),
      toContender(few, large, path, writeFewKeys(large)),
      toContender(all, large, path),
    ];
    return addRatios(small.name, await compare('scale', 'verify a random key', contenders, pace), { [few]: goal, [all]: allActiveGoal });
  } finally {
    await bare.stop();
    await small.stop();
    await large.stop();
  }
}

/** A service loads its accounts in the background after its start, for a minute or so. */
async function untilIndexed({ ports: [port] }: Product): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    if (Number(/^promptharbor_key_index_keys (\d+)/m.exec(metrics)?.[1]) >= manyAccounts) return;
    await delay(1000);
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
