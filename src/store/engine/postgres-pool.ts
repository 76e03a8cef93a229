import pg from 'pg';
import type { StoreMetric } from '../metrics.ts';
import { ReplicaError } from './postgres-errors.ts';
import type { PostgresHosts } from './postgres-hosts.ts';

export interface PoolLimits {
  max: number;
  /** The server cancels a statement after this time. A canceled statement is known to have had no effect. */
  statementTimeoutMs: number;
  /**
   * The server ends a transaction that is idle for this time and releases its locks. Transactions become idle only if this process is
   * paused or disconnected.
   */
  idleInTransactionTimeoutMs: number;
  /** The service abandons a query after this time, in case the server does not respond at all. */
  queryTimeoutMs: number;
}

/** The timeout for opening a connection, and for waiting for a free connection if all are in use. */
const connectTimeoutMs = 2000;

/** Creates a pool that only connects to a primary. */
export function createPool(hosts: PostgresHosts, limits: PoolLimits): pg.Pool {
  const { max, statementTimeoutMs, idleInTransactionTimeoutMs, queryTimeoutMs } = limits;
  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.current });
    }
  }
  const pool = new pg.Pool({
    Client: HostClient,
    application_name: 'promptharbor',
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 30 * 60,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    onConnect: refuseReplica,
    ...(queryTimeoutMs > 0 && { query_timeout: queryTimeoutMs }),
    ...(statementTimeoutMs > 0 && { statement_timeout: statementTimeoutMs }),
    ...(idleInTransactionTimeoutMs > 0 && { idle_in_transaction_session_timeout: idleInTransactionTimeoutMs }),
  });
  // The pool removes a broken connection, and the query on it rejects. An 'error' event without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** Removes the timeouts that the server enforces, because some poolers refuse connections that set them. */
export function withoutServerTimeouts(limits: PoolLimits): PoolLimits {
  return { ...limits, statementTimeoutMs: 0, idleInTransactionTimeoutMs: 0 };
}

export function describePool(prefix: string, { totalCount, idleCount, waitingCount }: pg.Pool): StoreMetric[] {
  const name = `promptharbor_database_${prefix}`;
  return [
    { name: `${name}connections`, help: 'Open connections to the database.', type: 'gauge', value: totalCount },
    { name: `${name}connections_idle`, help: 'Idle connections to the database.', type: 'gauge', value: idleCount },
    { name: `${name}waiting`, help: 'Requests waiting for a free connection.', type: 'gauge', value: waitingCount },
  ];
}

async function refuseReplica(client: pg.ClientBase): Promise<void> {
  const query = { text: 'show transaction_read_only', query_timeout: connectTimeoutMs };
  const { rows } = await client.query<{ transaction_read_only: string }>(query);
  if (rows[0]?.transaction_read_only === 'on') throw new ReplicaError('The server is a read-only replica');
}

/**
 * Parses counts and sums, which are 64-bit integers or numerics, as numbers. The service's values fit into a number, and SQLite returns
 * numbers too.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid, 'text');
}
