import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../errors.ts';
import { isUnavailable } from './postgres-errors.ts';
import type { PostgresHosts } from './postgres-hosts.ts';
import { createPool, type PoolLimits, withoutServerTimeouts } from './postgres-pool.ts';

/** The features that the server, or a pooler in front of it, supports. */
export interface ServerFeatures {
  /**
   * Whether a connection may set timeouts. Older versions of PgBouncer refuse them. In this case, only the timeouts of the service itself
   * apply.
   */
  acceptsTimeouts: boolean;
  /** Whether a connection always uses the same server process, so that it can keep prepared statements. */
  isDirect: boolean;
  /** Whether columns may have a collation. CockroachDB does not allow "C", but always sorts by byte. */
  supportsCollations: boolean;
}

const startTimeoutMs = 10_000;
const protocolViolation = '08P01';

/** Connects once to detect the features of the server. Retries for a while, in case the server is still starting. */
export async function waitForServer(hosts: PostgresHosts, limits: PoolLimits): Promise<ServerFeatures> {
  const deadline = Date.now() + startTimeoutMs;
  for (let acceptsTimeouts = true; ; ) {
    const pool = createPool(hosts, acceptsTimeouts ? limits : withoutServerTimeouts(limits));
    try {
      return { acceptsTimeouts, ...(await detectFeatures(pool)) };
    } catch (err) {
      if (err instanceof StartError) throw err;
      const refusesParameter = err instanceof pg.DatabaseError && err.code === protocolViolation;
      if (!(acceptsTimeouts && refusesParameter) && !(isUnavailable(err) && Date.now() < deadline)) {
        throw new StartError(explainConnectFailure(err, hosts.current), { cause: err });
      }
      if (refusesParameter) acceptsTimeouts = false;
      else await Promise.all([hosts.findPrimary(), delay(250)]);
    } finally {
      await pool.end();
    }
  }
}

async function detectFeatures(pool: pg.Pool): Promise<Pick<ServerFeatures, 'isDirect' | 'supportsCollations'>> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number; version: string; encoding: string }>(
      `select pg_backend_pid() as pid, version() as version, current_setting('server_encoding') as encoding`,
    );
    const { encoding = '' } = rows[0] ?? {};
    if (!/^utf-?8$/i.test(encoding)) {
      throw new StartError(
        `The database uses the encoding ${encoding}, which cannot store all characters. Create it with: encoding 'UTF8'.`,
      );
    }
    // A pooler reports its own process id instead of the server's.
    const isDirect = 'processID' in client && client.processID === rows[0]?.pid;
    return { isDirect, supportsCollations: !rows[0]?.version.startsWith('CockroachDB') };
  } finally {
    client.release();
  }
}

function explainConnectFailure(err: unknown, url: string): string {
  const { host, pathname } = new URL(url);
  const reason = err instanceof Error && err.message ? err.message : 'no response';
  return `Cannot connect to PostgreSQL at ${host}${pathname}: ${reason}. Check DATABASE_URL and that the server is running.`;
}
