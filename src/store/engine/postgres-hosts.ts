import pg from 'pg';
import { splitHosts } from '../../database-url.ts';
import { provePrimary } from './postgres-primary.ts';

export type PostgresHosts = ReturnType<typeof createHosts>;

const probeTimeoutMs = 2000;

/** Tracks which of the servers in a DATABASE_URL is the primary. Like the URLs of libpq, a DATABASE_URL may list several servers. */
export function createHosts(databaseUrl: string) {
  const urls = splitHosts(databaseUrl);
  const areSeveral = urls.length > 1;
  let current = urls[0] ?? databaseUrl;
  let search: Promise<void> | undefined;

  /**
   * Finds the first server that proves to be the primary. A former primary cannot prove this, even if it does not know that another server
   * took over.
   */
  async function searchAll(): Promise<void> {
    current = await Promise.any(urls.map(probe)).catch(() => current);
    search = undefined;
  }

  return {
    /** The URL of the server that was the primary at the last search. */
    get current(): string {
      return current;
    },
    areSeveral,
    /** Looks for the primary among all servers. Does nothing if there is only one server. */
    async findPrimary(): Promise<void> {
      if (!areSeveral) return;
      search ??= searchAll();
      await search;
    },
  };
}

async function probe(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'promptharbor',
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await provePrimary(client);
    return url;
  } finally {
    void client.end().catch(() => {});
  }
}
