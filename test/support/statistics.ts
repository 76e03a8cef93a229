import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { statisticsFileIn } from '../../src/store/engine/sqlite-statistics-file.ts';
import type { Service } from './service.ts';

/** Runs an SQL statement on the statistics of a running service. */
export async function queryStatistics({ database }: Service, text: string): Promise<Record<string, unknown>[]> {
  if (database.env.DATABASE_URL === undefined) {
    const sqlite = new DatabaseSync(statisticsFileIn(database.dataDir), { timeout: 10_000 });
    const rows = sqlite.prepare(text).all();
    sqlite.close();
    return rows;
  }
  const client = new pg.Client(database.env.DATABASE_URL);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
