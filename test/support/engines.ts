import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { openStore } from '../../src/store/store.ts';
import { findFastFolder } from './fast-folder.ts';
import { startPostgres } from './postgres/server.ts';

/** A database for one test file, with the settings to connect to it. */
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
  /** Returns a database with all migrations applied. The database is a copy of a template, because copying is faster than migrating. */
  createMigrated(): Promise<TestDatabase>;
}

export const sqlite: Engine = {
  name: 'SQLite',
  shared: false,
  async create() {
    const dataDir = await makeDataDir();
    return { env: { DATA_DIR: dataDir }, dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
  },
  async createMigrated() {
    const { sqlite: template } = await findTemplates();
    const database = await this.create();
    await cp(template, database.dataDir, { recursive: true });
    return database;
  },
};

export const postgres: Engine = {
  name: 'PostgreSQL',
  shared: true,
  create: async () => createPostgresDatabase((await findTemplates()).postgres),
  createMigrated: async () => copyPostgresDatabase((await findTemplates()).postgres),
};

/** Every suite that touches the store runs once on each of these engines. */
export const engines: Engine[] = [sqlite, postgres];

const migrated = 'migrated';

/** Creates a database that is owned by an ordinary role, as in production. */
export async function createPostgresDatabase(adminUrl: string, name = randomName(), options = ''): Promise<TestDatabase> {
  await runAsAdmin(adminUrl, [`create role ${name} login password '${name}'`, `create database ${name} owner ${name} ${options}`]);
  return describePostgresDatabase({ adminUrl, name, owner: name, removal: [`drop database ${name} with (force)`, `drop role ${name}`] });
}

async function copyPostgresDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = randomName();
  // Copying the files takes less than half of the CPU time of the default, which writes each page to the log.
  await runAsAdmin(adminUrl, [`create database ${name} template ${migrated} owner ${migrated} strategy file_copy`]);
  return describePostgresDatabase({ adminUrl, name, owner: migrated, removal: [`drop database ${name} with (force)`] });
}

function randomName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

interface PostgresDatabase {
  adminUrl: string;
  name: string;
  owner: string;
  removal: string[];
}

async function describePostgresDatabase({ adminUrl, name, owner, removal }: PostgresDatabase): Promise<TestDatabase> {
  const dataDir = await makeDataDir();
  const url = new URL(adminUrl);
  Object.assign(url, { username: owner, password: owner, pathname: `/${name}` });
  return {
    env: { DATABASE_URL: url.href, SECRET_KEY: 'a secret for tests, long enough to be taken', DATA_DIR: dataDir },
    dataDir,
    async remove() {
      await runAsAdmin(adminUrl, removal);
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

/** The sources of new databases: a folder with a migrated database, and a server that has one. */
export interface Templates {
  sqlite: string;
  postgres: string;
}

let ownTemplates: Promise<Templates> | undefined;

/** Finds the templates of the whole run. A test file that runs alone creates its own templates. */
export function findTemplates(): Promise<Templates> {
  ownTemplates ??= process.env.TEST_TEMPLATES
    ? Promise.resolve(JSON.parse(process.env.TEST_TEMPLATES))
    : startPostgres({ parentFolder: findFastFolder() }).then(({ adminUrl }) => makeTemplates(adminUrl));
  return ownTemplates;
}

export async function makeTemplates(adminUrl: string): Promise<Templates> {
  const template = await sqlite.create();
  const shared = await createPostgresDatabase(adminUrl, migrated);
  for (const { env } of [template, shared]) {
    const store = await openStore(loadConfig(env));
    await store.close();
  }
  await rm(shared.dataDir, { recursive: true });
  return { sqlite: template.dataDir, postgres: adminUrl };
}

function makeDataDir(): Promise<string> {
  return mkdtemp(join(findFastFolder(), 'promptharbor-test-'));
}
