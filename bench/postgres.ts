import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase } from '../src/store/dialect/open.ts';
import { gather } from '../src/store/gather.ts';
import { createKeyLookup } from '../src/store/key-lookup.ts';
import { migrate } from '../src/store/migrate.ts';
import { createPostgresDatabase } from '../test/support/engines.ts';
import { startPostgres } from '../test/support/postgres/server.ts';

type Lookup = (keyDigest: string) => unknown;

const rows = 200_000;
const rounds = 7;
const roundMs = 1000;
const concurrencies = [1, 32, 256];

/** Key lookups gathered, as the service makes them on PostgreSQL, against one query each. Contenders take turns in one run. */
export async function run(): Promise<void> {
  const server = await startPostgres();
  const { env, dataDir, remove } = await createPostgresDatabase(server.adminUrl);
  const url = env.DATABASE_URL ?? '';
  const database = await openDatabase({ dataDir, databaseUrl: url });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    await database.runLong(migrate);
    await fill(database.db);
    const contenders: Record<string, Lookup> = {
      'one by one': (digest) =>
        database.db.selectFrom('accounts').select(['id', 'email', 'name', 'revision']).where('key_digest', '=', digest).executeTakeFirst(),
      gathered: createKeyLookup(database),
      'gathered, named statement': gather((digests) => findNamed(pool, digests), { keys: 256, queries: 2 }),
    };
    print(`${rows} accounts, ${rounds} rounds of ${roundMs} ms each, contenders in turn; lookups a second: median (lowest to highest)\n`);
    for (const concurrency of concurrencies) await compare(contenders, concurrency);
  } finally {
    await pool.end();
    await database.close();
    await remove();
    await server.stop();
  }
}

async function fill(db: Awaited<ReturnType<typeof openDatabase>>['db']): Promise<void> {
  for (let from = 1; from <= rows; from += 50_000) {
    await sql`insert into accounts
      (id, email, name, password_hash, key_digest, key_cipher, key_created_at, created_at, updated_at)
      select 'u_' || n, n || '@example.com', 'name', repeat('p', 97), ${sql.raw(digestSql)}, repeat('c', 150), '', '', ''
      from generate_series(${sql.lit(from)}, ${sql.lit(from + 49_999)}) as n`.execute(db);
  }
  await sql`analyze accounts`.execute(db);
}

const digestSql = "lpad(n::text, 43, 'x')";
const randomDigest = () => String(1 + Math.floor(Math.random() * rows)).padStart(43, 'x');

/** The same query under a name, parsed once a connection: what a pooler in transaction mode cannot carry before PgBouncer 1.21. */
async function findNamed(pool: pg.Pool, digests: string[]): Promise<Map<string, unknown>> {
  const text = 'select key_digest, id, email, name, revision from accounts where key_digest = any($1)';
  const result = await pool.query<{ key_digest: string }>({ name: 'find_accounts', text, values: [digests] });
  return new Map(result.rows.map((row) => [row.key_digest, row]));
}

async function compare(contenders: Record<string, Lookup>, concurrency: number): Promise<void> {
  const results = new Map(Object.keys(contenders).map((name) => [name, [] as Round[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, lookup] of Object.entries(contenders)) {
      const result = await measure(lookup, concurrency);
      // The first time around warms up.
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  const base = medianOf(results.get('one by one') ?? [], 'perSecond');
  print(`${concurrency} at a time`);
  for (const [name, measured] of results) {
    const rates = measured.map(({ perSecond }) => perSecond).sort((a, b) => a - b);
    const median = medianOf(measured, 'perSecond');
    print(
      `  ${name.padEnd(28)}${format(median).padStart(9)} (${format(rates[0])} to ${format(rates.at(-1))})` +
        `  p99 ${medianOf(measured, 'p99Ms').toFixed(2)} ms  x${(median / base).toFixed(1)}`,
    );
  }
  print('');
}

interface Round {
  perSecond: number;
  p99Ms: number;
}

async function measure(lookup: Lookup, concurrency: number): Promise<Round> {
  const durations: number[] = [];
  const started = performance.now();
  const client = async () => {
    for (let now = started; now - started < roundMs; ) {
      const before = now;
      if ((await lookup(randomDigest())) === undefined) throw new Error('A key was not found');
      now = performance.now();
      durations.push(now - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const perSecond = durations.length / ((performance.now() - started) / 1000);
  durations.sort((a, b) => a - b);
  return { perSecond, p99Ms: durations[Math.floor(durations.length * 0.99)] ?? 0 };
}

function medianOf(measured: Round[], field: keyof Round): number {
  const values = measured.map((round) => round[field]).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? 0;
}

function format(value: number | undefined): string {
  return Math.round(value ?? 0).toLocaleString('en-US');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
