import { type Product, startEmbedded } from '../lib/contenders.ts';
import { against, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;

/** The same work on small and on large databases. */
export async function run(pace: Pace): Promise<Row[]> {
  return [
    ...(await compareSizes('verify a random key', '/api/auth/token', accounts, pace)),
    ...(await compareSizes('first page of 20', '/api/prompts?limit=20', prompts, pace)),
  ];
}

const accounts = {
  small: { name: '100 accounts', accounts: 100, prompts: 0 },
  large: { name: '1,000,000 accounts', accounts: 1_000_000, prompts: 0 },
};
const prompts = {
  small: { name: '20 prompts', accounts: 1, prompts: 20 },
  large: { name: '10,000 prompts', accounts: 1, prompts: 10_000 },
};

async function compareSizes(work: string, path: string, { small, large }: typeof accounts, pace: Pace): Promise<Row[]> {
  const products: Product[] = [];
  try {
    for (const size of [small, large]) products.push(await startEmbedded(size.name, size));
    const contenders = products.map(
      ({ name, ports, pids, seeded }): Contender => ({
        name,
        pids,
        load: { ports, method: 'GET', path, keysFile: seeded.keysFile, connections },
      }),
    );
    return against(small.name, await compare('scale', work, contenders, pace), { [large.name]: '≥ 0.90' });
  } finally {
    for (const product of products) await product.stop();
  }
}
