import { type Product, startEmbedded } from '../lib/contenders.ts';
import { randomNumber } from '../lib/load.ts';
import { addRatios, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const withRelease = 'folder-0/prompt-00000';
const without = 'folder-1/prompt-00001';
const reference = 'without a release';

/** Compares reads of a label that has a release, each with a random key, with reads of a label without a release. */
export async function run(pace: Pace): Promise<Row[]> {
  const product = await startEmbedded('PromptHarbor, SQLite', { accounts: 1, prompts: 20 });
  try {
    for (const name of [withRelease, without]) await saveVersion(product, name);
    await startRelease(product, withRelease);
    const read = (name: string, query = '') => ({
      method: 'GET',
      path: `/api/prompts/${encodeURIComponent(name)}?label=production${query}`,
      headers: { authorization: `Bearer ${product.seeded.firstKey}` },
      ports: product.ports,
      connections,
    });
    const { pids } = product;
    const contenders = [
      { name: reference, pids, load: read(without) },
      { name: 'without a release, random keys', pids, load: read(without, `&key=user-${randomNumber}`) },
      { name: 'with a release, random keys', pids, load: read(withRelease, `&key=user-${randomNumber}`) },
    ];
    const rows = await compare('releases', 'read a label', contenders, pace);
    return addRatios(reference, rows, { 'with a release, random keys': '≥ 0.95' });
  } finally {
    await product.stop();
  }
}

async function saveVersion(product: Product, name: string): Promise<void> {
  await send(product, 'POST', `/api/prompts/${encodeURIComponent(name)}/versions`, {
    template: 'Answer {{ question }} briefly.',
    labels: [],
  });
}

async function startRelease(product: Product, name: string): Promise<void> {
  const release = { control: 1, arms: [{ version: 2, weight: 5000 }], rules: [{ if: { plan: ['internal'] }, version: 2 }] };
  await send(product, 'PUT', `/api/prompts/${encodeURIComponent(name)}/labels/production/release`, release);
}

async function send({ ports, seeded }: Product, method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${ports[0]}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${seeded.firstKey}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}
