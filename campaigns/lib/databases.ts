import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createPostgresDatabase } from '../../test/support/engines.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres/server.ts';

export const engineNames = ['SQLite', 'PostgreSQL'] as const;
export type EngineName = (typeof engineNames)[number];

/** A separate database, which the campaign may crash. */
export interface CampaignDatabase {
  engine: EngineName;
  env: Record<string, string>;
  dataDir: string;
  /** Exists only for PostgreSQL. */
  server?: PostgresServer;
  /** The engine and its version. SQLite is part of Node. */
  versions: string[];
  remove(): Promise<void>;
}

export async function createDatabase(engine: EngineName): Promise<CampaignDatabase> {
  if (engine === 'SQLite') {
    const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-campaign-'));
    const remove = () => rm(dataDir, { recursive: true, force: true });
    return { engine, env: { DATA_DIR: dataDir }, dataDir, versions: [`SQLite ${process.versions.sqlite}`], remove };
  }
  const server = await startPostgres();
  const database = await createPostgresDatabase(server.adminUrl);
  return {
    engine,
    ...database,
    server,
    versions: [`PostgreSQL ${await readVersion(server)}`],
    async remove() {
      await database.remove();
      await server.stop();
    },
  };
}

async function readVersion({ adminUrl }: PostgresServer): Promise<string> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}
