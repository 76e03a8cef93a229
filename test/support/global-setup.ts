import { type PostgresServer, startPostgres } from './postgres/server.ts';

let server: PostgresServer | undefined;

/** One PostgreSQL for the whole run: `node --test` calls this before the first file, and each file creates its own databases. */
export async function globalSetup(): Promise<void> {
  server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.adminUrl;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
