import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from './postgres/server.ts';

/** A database for one test file, with the settings that point at it. */
export interface TestDatabase {
  env: Record<string, string>;
  dataDir: string;
  remove(): Promise<void>;
}

export interface Engine {
  name: string;
  /** Whether several instances can share one database. */
  shared: boolean;
  create(): Promise<TestDatabase>;
}

export const sqlite: Engine = {
  name: 'SQLite',
  shared: false,
  async create() {
    const dataDir = await makeDataDir();
    return { env: { DATA_DIR: dataDir }, dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
  },
};

export const postgres: Engine = {
  name: 'PostgreSQL',
  shared: true,
  create: async () => createPostgresDatabase(await findServer()),
};

/** Every suite that touches the store runs once on each of these. */
export const engines: Engine[] = [sqlite, postgres];

/** A new database on a server, owned by an ordinary role, as in production. */
export async function createPostgresDatabase(adminUrl: string): Promise<TestDatabase> {
  const dataDir = await makeDataDir();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(adminUrl);
  Object.assign(url, { username: name, password: name, pathname: `/${name}` });
  await runAsAdmin(adminUrl, [`create role ${name} login password '${name}'`, `create database ${name} owner ${name}`]);
  return {
    env: { DATABASE_URL: url.href, SECRET_KEY: 'a secret for tests, long enough to be taken', DATA_DIR: dataDir },
    dataDir,
    async remove() {
      await runAsAdmin(adminUrl, [`drop database ${name} with (force)`, `drop role ${name}`]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function runAsAdmin(adminUrl: string, statements: string[]): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

let ownServer: Promise<string> | undefined;

/** The server of the whole run; a test file that is run alone starts its own. */
async function findServer(): Promise<string> {
  if (process.env.TEST_POSTGRES_URL) return process.env.TEST_POSTGRES_URL;
  ownServer ??= startPostgres().then(({ adminUrl }) => adminUrl);
  return ownServer;
}

function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'promptharbor-test-'));
}
