import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg, { type Pool, type PoolClient } from 'pg';
import { assertNoNul } from './assert-no-nul.ts';
import { isConflict } from './errors.ts';
import { isConnectionBroken, translateConnectError, translateError } from './postgres-errors.ts';
import type { PostgresHosts } from './postgres-hosts.ts';
import type { PrimaryLease } from './postgres-primary.ts';

const maxAttempts = 4;
/** A query that fails after this time is not retried, because its caller has already waited long enough. */
const retryWithinMs = 1000;

/**
 * Leases a connection of the pool to Kysely. Statements are prepared by name only if `preparesStatements` is set, because they are session
 * state, and behind a pooler each statement may run in another session. Outside of a transaction, a read or a `begin` is retried if its
 * connection broke, and a statement is retried if it lost a conflict. A write whose connection broke is not retried, because it is unknown
 * whether it took effect.
 */
export async function leaseClient(source: ClientSource, preparesStatements: boolean): Promise<PostgresPoolClient> {
  const { lease } = source;
  let client: PoolClient | undefined = await checkOut(source);
  let inTransaction = false;
  let isSnapshot = false;
  /**
   * Whether the transaction's snapshot was taken while the lease was valid. The snapshot shows the data of that moment, even if it is read
   * much later.
   */
  let isSnapshotProved = false;
  let broken = false;

  const reconnect = async () => {
    client?.release(true);
    client = undefined;
    client = await checkOut(source);
    broken = false;
  };

  async function run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    assertNoNul(parameters);
    const opens = opensTransaction.test(sql);
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      if (!client) throw new Error('The connection was already released');
      try {
        // pg copies the values, and its result has all fields of Kysely's type.
        const values = parameters as unknown[];
        const result = await client.query(preparesStatements ? { name: getStatementName(sql), text: sql, values } : { text: sql, values });
        inTransaction ||= opens;
        if (opens) isSnapshot = opensSnapshot.test(sql);
        if (closesTransaction.test(sql)) inTransaction = isSnapshot = isSnapshotProved = false;
        // A write needs no check, because the acknowledgment by the standbys proves that the server is the primary.
        else if (!isSnapshotProved && (inTransaction || isRead.test(sql))) {
          lease.assertHolds(client);
          // PostgreSQL takes the snapshot at the first query.
          isSnapshotProved = isSnapshot && !opens;
        }
        return result as unknown as PostgresQueryResult<R>;
      } catch (err) {
        const isBroken = isConnectionBroken(err);
        // After an error that did not come from the server, the state of the connection is unknown.
        broken ||= isBroken || !(err instanceof pg.DatabaseError);
        if (inTransaction || attempt === maxAttempts) throw translateError(err);
        if (isConflict(err)) await delay(Math.random() * 10 * 2 ** attempt);
        // A retry may fail in the same way, because the next connection from the pool may have broken at the same moment.
        else if (isBroken && (opens || isRead.test(sql)) && performance.now() - started < retryWithinMs) await reconnect();
        else throw translateError(err);
      }
    }
  }

  return {
    // The overload for cursors is not implemented, because nothing streams from PostgreSQL.
    query: run as PostgresPoolClient['query'],
    release(destroy) {
      client?.release(destroy || broken);
      client = undefined;
    },
  };
}

/** The dependencies for leasing connections. */
export interface ClientSource {
  pool: Pool;
  hosts: PostgresHosts;
  lease: PrimaryLease;
}

/** The names of prepared statements. The map has no limit, because there are only a few different statements. */
const statementNames = new Map<string, string>();

function getStatementName(sql: string): string {
  const name = statementNames.get(sql) ?? hash('sha256', sql, 'base64url');
  statementNames.set(sql, name);
  return name;
}

async function checkOut(source: ClientSource): Promise<PoolClient> {
  try {
    return await connect(source);
  } catch (err) {
    if (!source.hosts.areSeveral || !isConnectionBroken(err)) throw translateConnectError(err);
  }
  await source.hosts.findPrimary();
  try {
    return await connect(source);
  } catch (err) {
    throw translateConnectError(err);
  }
}

/**
 * Returns a connection of the pool to the primary. Several attempts may be needed, because all idle connections in the pool may have broken
 * at the same moment.
 */
async function connect({ pool, lease }: ClientSource): Promise<PoolClient> {
  const started = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect();
    try {
      await lease.renew(client);
      return client;
    } catch (err) {
      client.release(true);
      const isLast = attempt === maxAttempts || performance.now() - started >= retryWithinMs;
      if (isLast || !isConnectionBroken(err)) throw err;
    }
  }
}

const opensTransaction = /^(begin|start transaction)\b/;
const opensSnapshot = /\bisolation level repeatable read\b/;
const closesTransaction = /^(commit|rollback)$/;
const isRead = /^select\b(?!.*\bfor (update|share|no key update|key share)\b)/s;
