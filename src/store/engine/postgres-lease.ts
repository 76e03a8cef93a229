import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg, { type Pool, type PoolClient } from 'pg';
import { assertNoNul } from './assert-no-nul.ts';
import { isConflict } from './errors.ts';
import { isConnectionBroken, translateConnectError, translateError } from './postgres-errors.ts';

const maxAttempts = 4;
/** A read that failed later than this is not retried, because its caller has waited long enough. */
const retryReadWithinMs = 1000;

/**
 * Leases a connection of the pool to Kysely. Statements are only prepared by name if `preparesStatements` is set: they are session state,
 * and behind a pooler each statement may run in another session.
 *
 * Outside a transaction, a read whose connection broke and a statement that lost a conflict are retried. A write whose connection broke
 * is not, because it is unknown whether it took effect.
 */
export async function leaseClient(pool: Pool, preparesStatements: boolean): Promise<PostgresPoolClient> {
  let client: PoolClient | undefined = await checkOut(pool);
  let inTransaction = false;
  let broken = false;

  const reconnect = async () => {
    client?.release(true);
    client = undefined;
    client = await checkOut(pool);
    broken = false;
  };

  async function run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    assertNoNul(parameters);
    inTransaction ||= opensTransaction.test(sql);
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      if (!client) throw new Error('The connection was already released');
      try {
        // pg copies the values, and its result has all fields of Kysely's type.
        const values = parameters as unknown[];
        const result = await client.query(preparesStatements ? { name: getStatementName(sql), text: sql, values } : { text: sql, values });
        if (closesTransaction.test(sql)) inTransaction = false;
        return result as unknown as PostgresQueryResult<R>;
      } catch (err) {
        const isBroken = isConnectionBroken(err);
        // After any error that the server did not send, the state of the connection is unknown.
        broken ||= isBroken || !(err instanceof pg.DatabaseError);
        if (inTransaction || attempt === maxAttempts) throw translateError(err);
        if (isConflict(err)) await delay(Math.random() * 10 * 2 ** attempt);
        // More than once, because the next connection from the pool may have broken at the same moment.
        else if (isBroken && isRead.test(sql) && performance.now() - started < retryReadWithinMs) await reconnect();
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

/** Unbounded, because there are only a few different prepared statements. */
const statementNames = new Map<string, string>();

function getStatementName(sql: string): string {
  const name = statementNames.get(sql) ?? hash('sha256', sql, 'base64url');
  statementNames.set(sql, name);
  return name;
}

async function checkOut(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (err) {
    throw translateConnectError(err);
  }
}

const opensTransaction = /^(begin|start transaction)\b/;
const closesTransaction = /^(commit|rollback)$/;
const isRead = /^select\b(?!.*\bfor (update|share|no key update|key share)\b)/s;
