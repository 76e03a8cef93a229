import { setTimeout as delay } from 'node:timers/promises';
import { ColumnDefinitionNode, type DataTypeNode, Kysely, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { StartError } from '../../errors.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import type { OpenedDatabase } from './open.ts';
import { isAway } from './postgres-errors.ts';
import { createPostgresKeyLookup } from './postgres-key-lookup.ts';
import { leaseClient } from './postgres-lease.ts';

interface Limits {
  max: number;
  /** The server gives up on a statement after this long, with a definite answer: it had no effect. */
  statementTimeoutMs: number;
  /** The server takes back the locks of a transaction of ours that has gone silent: this process was paused, or cut off. */
  silenceTimeoutMs: number;
  /** We give up on the server after this long, for when it no longer gives any answer. */
  queryTimeoutMs: number;
  /** The same few statements again and again: each connection prepares them once, where it can. */
  preparesStatements?: boolean;
}

const requestLimits: Limits = { max: 10, statementTimeoutMs: 4000, silenceTimeoutMs: 5000, queryTimeoutMs: 5000 };
// Apart from the others: however busy those are, a key is verified. Two connections, for at most two lookup queries in flight.
const lookupLimits: Limits = { max: 2, statementTimeoutMs: 1500, silenceTimeoutMs: 5000, queryTimeoutMs: 2000, preparesStatements: true };
const noLimits: Limits = { max: 1, statementTimeoutMs: 0, silenceTimeoutMs: 60_000, queryTimeoutMs: 0 };

/** For a new connection, and for a free one when all are busy. */
const connectTimeoutMs = 2000;
const startWithinMs = 10_000;

/** Opens PostgreSQL, or what speaks its protocol, directly or through a pooler in transaction mode. */
export async function openPostgres(url: string): Promise<OpenedDatabase> {
  const server = await waitForServer(url);
  const open = (limits: Limits) => connect(url, server, limits);
  const { db, pool } = open(requestLimits);
  const { db: lookups, pool: lookupPool } = open(lookupLimits);
  const keys = createPostgresKeyLookup(lookups);
  return {
    db,
    createKeyLookup: () => keys.findAccountByKey,
    async runLong(work) {
      const patient = open(noLimits);
      try {
        return await work(patient.db);
      } finally {
        await patient.pool.end();
      }
    },
    metrics: () => [...describePool('', pool), ...describePool('lookup_', lookupPool), ...keys.metrics()],
    // The pools and not Kysely, whose own refusal afterwards could not be told from a mistake of ours.
    async close() {
      await Promise.all([pool, lookupPool].map(async (each) => each.ended || each.end()));
    },
  };
}

function connect(url: string, server: ServerKind, limits: Limits): { db: Kysely<Database>; pool: pg.Pool } {
  const pool = createPool(url, server.takesTimeouts ? limits : withoutServerTimeouts(limits));
  const namesStatements = server.isDirect && limits.preparesStatements === true;
  const leases = { options: pool.options, connect: () => leaseClient(pool, namesStatements), end: () => pool.end() };
  const Dialect = server.knowsCollations ? ByteOrderDialect : PostgresDialect;
  return { db: new Kysely<Database>({ dialect: new Dialect({ pool: leases }) }), pool };
}

function describePool(prefix: string, { totalCount, idleCount, waitingCount }: pg.Pool): StoreMetric[] {
  const name = `promptharbor_database_${prefix}`;
  return [
    { name: `${name}connections`, help: 'Open connections to the database.', type: 'gauge', value: totalCount },
    { name: `${name}connections_idle`, help: 'Connections that nobody uses.', type: 'gauge', value: idleCount },
    { name: `${name}waiting`, help: 'Requests that wait for a free connection.', type: 'gauge', value: waitingCount },
  ];
}

function createPool(url: string, { max, statementTimeoutMs, silenceTimeoutMs, queryTimeoutMs }: Limits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
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
    ...(silenceTimeoutMs > 0 && { idle_in_transaction_session_timeout: silenceTimeoutMs }),
  });
  // A connection that breaks is dropped by the pool, and whoever was using it hears of it from the query. An unheard
  // 'error' event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** A replica may still know a key that was reset on the primary: nothing is ever read from one. */
async function refuseReplica(client: pg.ClientBase): Promise<void> {
  const query = { text: 'show transaction_read_only', query_timeout: connectTimeoutMs };
  const { rows } = await client.query<{ transaction_read_only: string }>(query);
  if (rows[0]?.transaction_read_only === 'on') throw new Error('The server is a replica: it only reads');
}

/** Counts and sums come as 64-bit numbers; ours are small enough for a number, as on SQLite. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid, 'text');
}

/** Text sorts and compares byte by byte, as on SQLite, whatever locale the server was set up with. */
class ByteOrderDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new ByteOrderCompiler();
  }
}

class ByteOrderCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode);
    if (isColumn && node.dataType === 'text') this.append(' collate "C"');
  }
}

interface ServerKind {
  /** Whether time-outs may be set when connecting. Older PgBouncers refuse them, and then our own, on this side, must do. */
  takesTimeouts: boolean;
  /** Whether a connection leads to one and the same server process for as long as it lasts. */
  isDirect: boolean;
  /** Whether a column may say how it sorts. CockroachDB's may not, and sort byte by byte anyhow. */
  knowsCollations: boolean;
}

/** Connects once, with patience for a server that is just starting too, and finds out what it is connected to. */
async function waitForServer(url: string): Promise<ServerKind> {
  const deadline = Date.now() + startWithinMs;
  for (let takesTimeouts = true; ; ) {
    const pool = createPool(url, takesTimeouts ? requestLimits : withoutServerTimeouts(requestLimits));
    try {
      return { takesTimeouts, ...(await identify(pool)) };
    } catch (err) {
      const refusesParameter = err instanceof pg.DatabaseError && err.code === protocolViolation;
      if (!(takesTimeouts && refusesParameter) && !(isAway(err) && Date.now() < deadline)) {
        throw new StartError(explainFailure(err, url), { cause: err });
      }
      if (refusesParameter) takesTimeouts = false;
      else await delay(250);
    } finally {
      await pool.end();
    }
  }
}

async function identify(pool: pg.Pool): Promise<Pick<ServerKind, 'isDirect' | 'knowsCollations'>> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number; version: string }>('select pg_backend_pid() as pid, version() as version');
    // A pooler gives its clients process numbers of its own making.
    const isDirect = 'processID' in client && client.processID === rows[0]?.pid;
    return { isDirect, knowsCollations: !rows[0]?.version.startsWith('CockroachDB') };
  } finally {
    client.release();
  }
}

function withoutServerTimeouts(limits: Limits): Limits {
  return { ...limits, statementTimeoutMs: 0, silenceTimeoutMs: 0 };
}

function explainFailure(err: unknown, url: string): string {
  const { host, pathname } = new URL(url);
  const reason = err instanceof Error && err.message ? err.message : 'no answer';
  return `PostgreSQL at ${host}${pathname} cannot be used: ${reason}. Check DATABASE_URL and that the server runs.`;
}

const protocolViolation = '08P01';
