import { startOnPostgres } from '../lib/contenders.ts';
import { applyLoad } from '../lib/load.ts';
import { compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const promptPath = '/api/prompts/folder-3%2Fprompt-00003';
const workloads = [
  { name: 'verify the key', request: { method: 'GET', path: '/api/auth/token' } },
  { name: 'get one prompt', request: { method: 'GET', path: promptPath } },
  {
    name: 'render',
    request: {
      method: 'POST',
      path: `${promptPath}/render`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ variables: { customer: 'Ada', request: 'an order' } }),
    },
  },
];

/**
 * Measures the CPU time that one instance and its PostgreSQL need for a request. The result shows how many cores a load needs. Works only
 * on Linux.
 */
export async function run(pace: Pace): Promise<Row[]> {
  const product = await startOnPostgres('one instance', { accounts: 100, prompts: 20, instances: 1 });
  const { ports, pids, seeded, databasePids } = product;
  const rows: Row[] = [];
  try {
    for (const { name, request } of workloads) {
      const load = { ...request, ports, keysFile: seeded.keysFile, connections };
      // Opens the connections to the database, each of which is a process.
      await applyLoad({ ...load, seconds: 1 });
      const contenders = [
        { name: 'the instance', pids, load },
        { name: 'its PostgreSQL', pids: databasePids(), load },
      ];
      rows.push(...(await compare('capacity', name, contenders, pace)));
    }
  } finally {
    await product.stop();
  }
  return rows;
}
