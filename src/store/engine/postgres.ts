import { ColumnDefinitionNode, type DataTypeNode, Kysely, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';
import { slotLimits } from '../../platform/scheduling/limits.ts';
import type { StatisticsDatabase } from '../statistics/tables.ts';
import type { Database } from '../tables.ts';
import { maxPauseMs, type OpenedDatabase } from './opened-database.ts';
import { explainDenial } from './postgres-errors.ts';
import { createHosts } from './postgres-hosts.ts';
import { createPostgresKeyLookup } from './postgres-key-lookup.ts';
import { type ClientSource, leaseClient } from './postgres-lease.ts';
import { createPool, describePool, type PoolLimits, withoutServerTimeouts } from './postgres-pool.ts';
import { createPrimaryLease } from './postgres-primary.ts';
import { type ServerFeatures, waitForServer } from './postgres-server.ts';

const requestLimits: PoolLimits = { max: 10, statementTimeoutMs: 4000, idleInTransactionTimeoutMs: 5000, queryTimeoutMs: 5000 };
// Key lookups have a separate pool, so that other queries cannot delay them. The pool has two connections, so that at most two lookup
// queries run at a time.
const lookupLimits: PoolLimits = { max: 2, statementTimeoutMs: 1500, idleInTransactionTimeoutMs: 5000, queryTimeoutMs: 2000 };
// Long snapshots have a separate pool, so that slow clients do not take connections from requests.
const streamLimits: PoolLimits = { ...requestLimits, max: slotLimits.exports.total, idleInTransactionTimeoutMs: maxPauseMs };
const longLimits: PoolLimits = { max: 1, statementTimeoutMs: 0, idleInTransactionTimeoutMs: 60_000, queryTimeoutMs: 0 };

// The default duration of the lease. With Patroni's default settings, a standby becomes the primary 20 seconds after the last sign of life
// of the old primary.
const defaultLeaseMs = 10_000;

/** Opens PostgreSQL or a compatible server, directly or through a pooler in transaction mode. */
export async function openPostgres(url: string, leaseMs = defaultLeaseMs): Promise<OpenedDatabase> {
  const hosts = createHosts(url);
  const server = await waitForServer(hosts, requestLimits);
  // There is no lease behind a pooler, because each statement may run on a different server. There is also none with CockroachDB, because
  // it has no standbys.
  const lease = createPrimaryLease(server.isDirect && server.supportsCollations ? leaseMs : 0);
  const connect = (options: ConnectOptions) => connectTo(server, { hosts, lease }, options);
  const { db, pool } = connect({ limits: requestLimits });
  // There are only a few different lookup statements, so each connection can prepare them once.
  const lookups = connect({ limits: lookupLimits, preparesStatements: server.isDirect });
  const keys = createPostgresKeyLookup(lookups.db);
  const streams = connect({ limits: streamLimits });

  // A long transaction lasts longer than the lease. Its commit proves that the data it read is current, because an old primary cannot
  // complete a commit.
  const longLease = { ...lease, assertHolds: () => undefined };

  async function runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
    const long = connectTo(server, { hosts, lease: longLease }, { limits: longLimits });
    try {
      return await work(long.db);
    } catch (err) {
      throw explainDenial(err);
    } finally {
      await long.pool.end();
    }
  }

  return {
    db,
    reader: () => db,
    streamReader: () => streams.db,
    // Both types describe parts of the same database.
    statistics: db as unknown as Kysely<StatisticsDatabase>,
    prepareStatistics: () => undefined,
    createKeyLookup: () => keys.findAccountByKey,
    runLong,
    metrics: () => [...describePool('', pool), ...describePool('lookup_', lookups.pool), ...keys.metrics()],
    // The pools are ended directly, because after a call of Kysely's `destroy`, queries would throw an error that looks like a bug of the
    // service.
    async close() {
      await Promise.all([pool, lookups.pool, streams.pool].map(async (each) => each.ended || each.end()));
    },
  };
}

interface ConnectOptions {
  limits: PoolLimits;
  preparesStatements?: boolean;
}

function connectTo(
  server: ServerFeatures,
  { hosts, lease }: Omit<ClientSource, 'pool'>,
  { limits, preparesStatements = false }: ConnectOptions,
): { db: Kysely<Database>; pool: pg.Pool } {
  const pool = createPool(hosts, server.acceptsTimeouts ? limits : withoutServerTimeouts(limits));
  const connect = () => leaseClient({ pool, hosts, lease }, preparesStatements);
  const leases = { options: pool.options, connect, end: () => pool.end() };
  const Dialect = server.supportsCollations ? ByteOrderDialect : PostgresDialect;
  return { db: new Kysely<Database>({ dialect: new Dialect({ pool: leases }) }), pool };
}

/** Makes text columns sort and compare by byte, as on SQLite, regardless of the locale of the server. */
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
