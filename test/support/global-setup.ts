import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemplates, type Templates } from './engines.ts';
import { findFastFolder } from './fast-folder.ts';
import { bundlePackages, bundlePrograms } from './packages/bundle.ts';
import { type PostgresServer, startPostgres } from './postgres/server.ts';

let server: PostgresServer | undefined;
let templates: Templates | undefined;

/**
 * `node --test` calls this before the first file. One PostgreSQL server serves the whole run, and each file creates its own databases on
 * it. The files also share a cache of compiled code.
 */
export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled-tests');
  await bundlePackages();
  process.env.TEST_PROGRAMS = await bundlePrograms();
  server = await startPostgres({ parentFolder: findFastFolder() });
  templates = await makeTemplates(server.adminUrl);
  process.env.TEST_TEMPLATES = JSON.stringify(templates);
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  for (const folder of [templates?.sqlite, process.env.TEST_PROGRAMS]) if (folder) await rm(folder, { recursive: true, force: true });
}
