import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A database for one test file: the settings that point at it, and how to get rid of it. */
export interface TestDatabase {
  env: Record<string, string>;
  dataDir: string;
  remove(): Promise<void>;
}

export interface Engine {
  name: string;
  create(): Promise<TestDatabase>;
}

const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-test-'));
    return { env: { DATA_DIR: dataDir }, dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
  },
};

/** Every suite that touches the store runs once on each of these. */
export const engines: Engine[] = [sqlite];
