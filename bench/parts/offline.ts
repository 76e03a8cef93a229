import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PromptHarbor } from '../../client/src/index.ts';
import { demoPrompts } from '../../scripts/demo/prompts.ts';
import { startServer } from '../lib/processes.ts';
import { median, type Pace, type Row } from '../lib/rounds.ts';
import { seed } from '../lib/seed.ts';

const root = join(import.meta.dirname, '../..');
const demo = { email: 'demo@example.com', password: 'demo harbor password' };
const renders = 200;

/** Renders all prompts of the demo from the client's file while the service is stopped. The slowest prompt counts. */
export async function run({ rounds }: Pace): Promise<Row[]> {
  const seeded = await seed({ accounts: 1, prompts: 0 });
  const fallbackFile = join(seeded.env.DATA_DIR ?? '', 'prompts.json');
  const server = await startServer([join(root, 'bin/promptharbor.js'), 'serve'], seeded.env);
  const baseUrl = `http://127.0.0.1:${server.port}`;
  execFileSync(process.execPath, [join(root, 'scripts/demo.ts'), baseUrl], { stdio: 'ignore' });
  const ph = new PromptHarbor({ baseUrl, apiKey: await fetchKey(baseUrl) });
  const load = () => ph.prompts.load({ label: 'latest', fallbackFile });
  await (await load()).close();
  await server.stop();

  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < Math.max(5, rounds); round += 1) {
    process.stderr.write(`\r\x1b[Koffline: round ${round + 1}`);
    const prompts = await load();
    const measured = demoPrompts.map(({ name, variables }) => {
      const prompt = prompts.get(name);
      return Array.from({ length: renders }, () => measure(() => prompt.renderSync(variables)));
    });
    first.push(Math.max(...measured.map(([ms = Number.NaN]) => ms)));
    later.push(Math.max(...measured.map(([_, ...rest]) => median(rest))));
    await prompts.close();
  }
  process.stderr.write('\r\x1b[K');
  seeded.remove();
  return [toRow('first render of the slowest demo prompt', first), toRow('later renders of the slowest demo prompt', later)];
}

function toRow(work: string, times: number[]): Row {
  return {
    part: 'offline',
    work,
    contender: 'client, service stopped',
    requestsPerSecond: 1000 / median(times),
    spread: [1000 / Math.max(...times), 1000 / Math.min(...times)],
    p50Ms: median(times),
    p99Ms: Math.max(...times),
    cpuMicroseconds: undefined,
    goal: 'p50 ≤ 10 ms',
  };
}

function measure(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function fetchKey(baseUrl: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}/api/auth/token`, { method: 'POST', headers, body: JSON.stringify(demo) });
  return ((await response.json()) as { token: string }).token;
}
