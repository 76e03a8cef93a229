import { residentMib, type ServerProcess, startServer } from '../lib/processes.ts';
import { median, type Pace, type Row } from '../lib/rounds.ts';
import { seed } from '../lib/seed.ts';

const servers = `${import.meta.dirname}/../servers`;
const product = `${import.meta.dirname}/../../bin/promptharbor.js`;

/** Measures the time from the start of the process to the first 200 with everything built, and the memory at that point. */
export async function run({ rounds }: Pace): Promise<Row[]> {
  const seeded = await seed({ accounts: 1, prompts: 0 });
  const contenders: [string, () => Promise<ServerProcess>][] = [
    ['bare node:http', () => startServer([`${servers}/bare.ts`])],
    ['a plain Fastify process', () => startServer([`${servers}/plain-fastify.ts`])],
    ['PromptHarbor, SQLite', () => startServer([product, 'serve'], seeded.env)],
  ];
  const results = new Map(contenders.map(([name]): [string, { startMs: number; memoryMib: number }[]] => [name, []]));
  for (let round = 0; round < Math.max(5, rounds); round += 1) {
    for (const [name, start] of contenders) {
      process.stderr.write(`\r\x1b[Kstart: round ${round + 1}: ${name}`);
      const server = await start();
      results.get(name)?.push({ startMs: server.startMs, memoryMib: residentMib(server.pid) ?? Number.NaN });
      await server.stop();
    }
  }
  process.stderr.write('\r\x1b[K');
  seeded.remove();

  const startOf = (name: string) => median((results.get(name) ?? []).map(({ startMs }) => startMs));
  return contenders.map(([name]) => {
    const rounds = results.get(name) ?? [];
    const starts = rounds.map(({ startMs }) => startMs);
    return {
      part: 'start',
      work: `start to first 200; ${Math.round(median(rounds.map(({ memoryMib }) => memoryMib)))} MiB`,
      contender: name,
      requestsPerSecond: 1000 / median(starts),
      spread: [1000 / Math.max(...starts), 1000 / Math.min(...starts)],
      p50Ms: median(starts),
      p99Ms: Math.max(...starts),
      cpuMicroseconds: undefined,
      ratio: startOf(name) / startOf('a plain Fastify process'),
      ...(name === 'PromptHarbor, SQLite' && { goal: 'time ≤ 1.75 times' }),
    };
  });
}
