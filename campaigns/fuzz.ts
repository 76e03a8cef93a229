import { residentMib } from '../bench/lib/processes.ts';
import { median } from '../bench/lib/rounds.ts';
import { call, register, signIn } from '../test/support/client.ts';
import { type FuzzResult, runFuzz } from '../test/support/fuzz/run-fuzz.ts';
import { type ServedProgram, serveProgram } from '../test/support/process.ts';
import type { Random } from '../test/support/random.ts';
import { retryWhileThrottled } from './lib/accounts.ts';
import { type CampaignDatabase, createDatabase, engineNames } from './lib/databases.ts';
import { startObserver } from './lib/observer.ts';
import { conclude, print, showProgress, watchInterrupt } from './lib/report.ts';
import { parseSettings, type Settings } from './lib/settings.ts';

const hidden = 'only the other account may see this';
/**
 * The quotas are small, so that the campaign reaches them. Versions are unlimited, because the account that observes the attack saves for
 * as long as the attack lasts.
 */
const quotas = { QUOTA_PROMPTS: '100', QUOTA_VERSIONS: 'unlimited', QUOTA_CONTENT_MIB: '50' };
/** After this many requests, another account with all its prompts is used, because most prompts of the previous account are in the bin. */
const requestsPerAccount = 20_000;
/** Memory is judged only in long runs, because the memory of a newly started service still grows. */
const goals = { memoryRatio: 1.3, minRequests: 100_000 };
const samples = 200;

interface Result extends FuzzResult {
  engine: string;
  memoryMib: { first: number; most: number; last: number };
  worstHealthMs: number;
  /** The failed requests of another account. */
  failures: string[];
}

/**
 * Sends malformed and mutated requests that are derived from openapi.json. There must be no 5xx except 503, memory must not grow, and other
 * accounts must not wait long.
 */
export async function run(args: string[]): Promise<void> {
  const settings = parseSettings('fuzz', args, { wholeSize: 1_000_000 });
  const startedAt = performance.now();
  const isInterrupted = watchInterrupt();
  print(`Seed ${settings.random.seed}`);
  const results: Result[] = [];
  const versions: string[] = [];
  for (const engine of engineNames) {
    const database = await createDatabase(engine);
    versions.push(...database.versions);
    try {
      results.push(await attack(database, settings, isInterrupted));
    } finally {
      await database.remove();
    }
  }
  await conclude(settings, {
    marker: 'fuzz',
    summary: `${settings.size} requests, half of them on each engine,`,
    versions,
    startedAt,
    header: [
      'engine',
      'responses',
      '5xx other than 503',
      'memory at the start, maximum, at the end, MiB',
      '`/healthz`, slowest, ms',
      'failures of others',
    ],
    rows: results.map(({ engine, statuses, memoryMib: { first, most, last }, worstHealthMs, failures }) => [
      engine,
      Object.entries(statuses)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', '),
      Object.entries(statuses).reduce((sum, [status, count]) => (Number(status) >= 500 && status !== '503' ? sum + count : sum), 0),
      [first, most, last].map((figure) => figure.toFixed(0)).join(', '),
      worstHealthMs.toFixed(0),
      failures.length,
    ]),
    problems: results.flatMap((result) => findProblems(result, settings)),
  });
}

async function attack({ engine, env }: CampaignDatabase, { size, random }: Settings, isInterrupted: () => boolean): Promise<Result> {
  const service = await serveProgram({ ...env, ...quotas, LOG_LEVEL: 'error' });
  const count = Math.ceil(size / engineNames.length);
  try {
    const other = await register(service);
    const body = { name: 'a', template: 'Hello {{ name }}', description: hidden };
    await call(service, 'POST', '/api/prompts', { key: other.token, body });
    const observer = startObserver({ url: service.url, key: other.token, pauseMs: 200 });
    let isGone = false;
    service.child.once('exit', () => {
      isGone = true;
    });
    const isOver = () => isInterrupted() || isGone;
    const { statuses, problems, memory } = await sendAll({ engine, service, count, random, isOver });
    const { health, failures } = await observer.take();
    await observer.stop();
    const tenth = Math.ceil(memory.length / 10);
    const errors = service
      .stdout()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    return {
      engine,
      statuses,
      problems: [...(isGone ? ['The service has ended'] : []), ...problems, ...errors.map((line) => line.slice(0, 1500))],
      // The first tenth of the requests fills the quotas and the caches.
      memoryMib: { first: median(memory.slice(tenth, 2 * tenth)), most: Math.max(...memory), last: median(memory.slice(-tenth)) },
      worstHealthMs: health.reduce((most, each) => Math.max(most, each), 0),
      failures,
    };
  } finally {
    await service.kill();
  }
}

interface Attack {
  engine: string;
  service: ServedProgram;
  count: number;
  random: Random;
  isOver(): boolean;
}

/** Sends all requests, and measures the memory of the service at regular intervals. */
async function sendAll({ engine, service, count, random, isOver }: Attack): Promise<FuzzResult & { memory: number[] }> {
  const every = Math.max(100, Math.floor(count / samples / 100) * 100);
  const all = { statuses: {} as FuzzResult['statuses'], problems: [] as string[], memory: [] as number[] };
  for (let sent = 0; sent < count && all.problems.length === 0 && !isOver(); sent += requestsPerAccount) {
    const account = await retryWhileThrottled(() => register(service));
    const cookie = await retryWhileThrottled(() => signIn(service, account));
    const { statuses, problems } = await runFuzz({
      ...{ url: service.url, account, cookie, hidden, random, isOver },
      count: Math.min(requestsPerAccount, count - sent),
      onProgress(done) {
        if ((sent + done) % every === 0) all.memory.push(residentMib(service.child.pid ?? 0) ?? Number.NaN);
        showProgress(`${engine}: ${sent + done} of ${count} requests`);
      },
    });
    for (const [status, times] of Object.entries(statuses)) all.statuses[status] = (all.statuses[status] ?? 0) + times;
    all.problems.push(...problems);
  }
  return all;
}

function findProblems({ engine, problems, memoryMib: { first, last }, failures }: Result, { size }: Settings): string[] {
  const isGrown = size >= goals.minRequests && last > first * goals.memoryRatio;
  const grown = isGrown ? [`memory grew from ${first.toFixed(0)} to ${last.toFixed(0)} MiB`] : [];
  const missed = failures.map((text) => `a request of another account failed: ${text}`);
  return [...problems, ...grown, ...missed].map((problem) => `${engine}: ${problem}`);
}
