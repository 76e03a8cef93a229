import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres/server.ts';

let server: PostgresServer | undefined;

/**
 * `node --test` calls this before the first file. One PostgreSQL serves the whole run, in which each file creates its own databases,
 * and what one file has compiled the next one need not compile again.
 */
export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled-tests');
  server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.adminUrl;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
