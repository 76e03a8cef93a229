import { DatabaseSync } from 'node:sqlite';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';
import { statisticsFileIn } from '../../src/store/engine/sqlite-statistics-file.ts';
import { type ServerProcess, startServer } from '../lib/processes.ts';
import { addRatios, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';
import { type Seeded, seed } from '../lib/seed.ts';

const server = `${import.meta.dirname}/../servers/counting.ts`;

/** Measures the cost of counting calls, and how other accounts' rows affect reading an account's statistics. */
export async function run(pace: Pace): Promise<Row[]> {
  return [...(await measureCounting(pace)), ...(await measureReading(pace))];
}

async function measureCounting(pace: Pace): Promise<Row[]> {
  const [off, on] = [await start({ prompts: 20, env: { STATISTICS: 'off' } }), await start({ prompts: 20 })];
  const rows: Row[] = [];
  try {
    for (const path of ['/api/auth/token', '/api/prompts']) {
      const contenders: Contender[] = [
        { name: 'without statistics', ...loadOf(off, path) },
        { name: 'with statistics', ...loadOf(on, path) },
      ];
      const measured = await compare('stats', `GET ${path}`, contenders, pace);
      rows.push(...addRatios('without statistics', measured, { 'with statistics': '≥ 0.95' }));
    }
  } finally {
    await off.stop();
    await on.stop();
  }
  return rows;
}

/** Compares the same accounts and calls with and without a million rows of other accounts. */
async function measureReading(pace: Pace): Promise<Row[]> {
  const [alone, crowded] = [await start({ prompts: 0, fill: fillOwn }), await start({ prompts: 0, fill: fillOwnAndOthers })];
  try {
    const path = '/api/stats?interval=day&from=2026-01-01&to=2026-01-31';
    const contenders: Contender[] = [
      { name: 'alone', ...loadOf(alone, path, 2) },
      { name: 'with 1,000,000 rows of others', ...loadOf(crowded, path, 2) },
    ];
    const rows = await compare('stats', 'GET /api/stats, a month', contenders, pace);
    return addRatios('alone', rows, { 'with 1,000,000 rows of others': '≥ 0.90' });
  } finally {
    await alone.stop();
    await crowded.stop();
  }
}

type Running = Pick<ServerProcess, 'port' | 'pid' | 'stop'> & { seeded: Seeded };

interface Start {
  prompts: number;
  env?: Record<string, string>;
  fill?: (dataDir: string) => void;
}

async function start({ prompts, env, fill }: Start): Promise<Running> {
  const seeded = await seed({ accounts: 100, prompts });
  fill?.(seeded.env.DATA_DIR ?? '');
  const { port, pid, stop } = await startServer([server], { ...seeded.env, ...env });
  return {
    port,
    pid,
    seeded,
    async stop() {
      await stop();
      seeded.remove();
    },
  };
}

function loadOf({ port, pid, seeded }: Running, path: string, connections = 32): Omit<Contender, 'name'> {
  return { pids: [pid], load: { ports: [port], method: 'GET', path, connections, keysFile: seeded.keysFile } };
}

/** Adds a month of hourly calls to two routes for every account. */
function fillOwn(dataDir: string): void {
  const db = new DatabaseSync(sqliteFileIn(dataDir));
  db.prepare('attach ? as statistics').run(statisticsFileIn(dataDir));
  db.exec(`insert into call_statistics (account_id, time, route, status, bucket, calls)
    with recursive hour(n) as (select 0 union all select n + 1 from hour where n < 719), route(n) as (values (1), (2))
    select id, strftime('%Y-%m-%dT%H', '2026-01-01', '+' || hour.n || ' hours'), 'GET /api/' || route.n, 200, 20, 5
    from accounts, hour, route`);
  db.close();
}

/** Adds 700 accounts with the same calls: a million rows. */
function fillOwnAndOthers(dataDir: string): void {
  const db = new DatabaseSync(sqliteFileIn(dataDir));
  db.exec(`insert into accounts (id, email, name, password_hash, key_digest, key_cipher, key_created_at, created_at, updated_at)
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 700)
    select 'u_other_' || n, n, '', '', n, '', '', '', '' from n`);
  db.close();
  fillOwn(dataDir);
}
