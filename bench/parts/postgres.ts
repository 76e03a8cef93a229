import { sql } from 'kysely';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import { batchLookups } from '../../src/store/engine/batch-lookups.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { createAccountFinder } from '../../src/store/engine/postgres-key-lookup.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createPostgresDatabase } from '../../test/support/engines.ts';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { addRatios, median, type Pace, percentile, type Row } from '../lib/rounds.ts';

type Lookup = (key: string) => unknown;

interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const accounts = 200_000;
const concurrencies = [1, 32, 256];

/** Compares key lookups on PostgreSQL without HTTP: batched, as in the service, and with one query each. */
export async function run(pace: Pace): Promise<Row[]> {
  const server = await startPostgres();
  const { env, dataDir, remove } = await createPostgresDatabase(server.adminUrl);
  const database = await openDatabase({ dataDir, databaseUrl: env.DATABASE_URL });
  const { db, close, runLong } = database;
  try {
    await runLong(migrate);
    await fill(database);
    // Uses the settings that apply behind a pooler.
    const findUnprepared = batchLookups(createAccountFinder(db), { keys: 256, queries: 2 });
    const contenders: Record<string, Lookup> = {
      'one by one': (key) =>
        db
          .selectFrom('accounts')
          .select(['id', 'email', 'name', 'revision', 'key_serial as keySerial'])
          .where('key_digest', '=', digestKey(key))
          .executeTakeFirst(),
      batched: database.createKeyLookup(),
      'batched, without prepared statements': (key) => findUnprepared(digestKey(key)),
    };
    const rows: Row[] = [];
    for (const concurrency of concurrencies) rows.push(...(await compareLookups(contenders, concurrency, pace)));
    return rows;
  } finally {
    await close();
    await remove();
    await server.stop();
  }
}

async function fill({ db }: OpenedDatabase): Promise<void> {
  for (let from = 1; from <= accounts; from += 50_000) {
    await sql`insert into accounts
      (id, email, name, password_hash, key_digest, key_cipher, key_created_at, created_at, updated_at)
      select 'u_' || n, n || '@example.com', 'name', repeat('p', 97), rtrim(translate(encode(sha256(('ph_' || lpad(to_hex(n), 64, '0'))::bytea), 'base64'), '+/', '-_'), '='), repeat('c', 150), '', '', ''
      from generate_series(${sql.lit(from)}, ${sql.lit(from + 49_999)}) as n`.execute(db);
  }
  await sql`analyze accounts`.execute(db);
}

function randomKey(): string {
  return `ph_${(1 + Math.floor(Math.random() * accounts)).toString(16).padStart(64, '0')}`;
}

async function compareLookups(contenders: Record<string, Lookup>, concurrency: number, { rounds, seconds }: Pace): Promise<Row[]> {
  const work = `${concurrency} concurrent key lookups, ${accounts.toLocaleString('en-US')} accounts`;
  const results = new Map(Object.keys(contenders).map((name): [string, Measured[]] => [name, []]));
  for (const lookup of Object.values(contenders)) await measure(lookup, concurrency, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, lookup] of Object.entries(contenders)) {
      process.stderr.write(`\r\x1b[Kpostgres: ${work}: round ${round + 1} of ${rounds}: ${name}`);
      results.get(name)?.push(await measure(lookup, concurrency, seconds));
    }
  }
  process.stderr.write('\r\x1b[K');

  const rows = [...results].map(([contender, measured]): Row => {
    const rates = measured.map(({ perSecond }) => perSecond);
    return {
      part: 'postgres',
      work,
      contender,
      requestsPerSecond: median(rates),
      spread: [Math.min(...rates), Math.max(...rates)],
      p50Ms: median(measured.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
      cpuMicroseconds: undefined,
    };
  });
  return addRatios('one by one', rows, concurrency === 32 ? { batched: '≥ 3 times' } : {});
}

async function measure(lookup: Lookup, concurrency: number, seconds: number): Promise<Measured> {
  const durations: number[] = [];
  const started = performance.now();
  const client = async () => {
    for (let now = started; now - started < seconds * 1000; ) {
      const before = now;
      if ((await lookup(randomKey())) === undefined) throw new Error('A key was not found');
      now = performance.now();
      durations.push(now - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const elapsedMs = performance.now() - started;
  durations.sort((a, b) => a - b);
  return { perSecond: (durations.length * 1000) / elapsedMs, p50Ms: percentile(durations, 0.5), p99Ms: percentile(durations, 0.99) };
}
