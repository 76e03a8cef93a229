import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { assertNoNul } from './assert-no-nul.ts';
import { isConflict } from './errors.ts';
import { isBroken, translateError } from './postgres-errors.ts';

const maxAttempts = 4;
/** A read that failed later than this has used up its caller's patience. */
const promptMs = 1000;

/**
 * A connection from the pool, for as long as Kysely needs it. Statements leave nothing behind in the session, so that each may run on
 * another server connection of a pooler; only where `namesStatements` says that there is none are they prepared once under a name.
 *
 * What is safe to run again is run again here: a read whose connection broke, and any statement of its own that lost a conflict.
 * A write whose connection broke is not: whether it happened is unknown, and the caller is told so.
 */
export async function leaseClient(pool: Pool, namesStatements: boolean): Promise<PostgresPoolClient> {
  let client: PoolClient | undefined = await checkOut(pool);
  let inTransaction = false;
  let broken = false;

  const renew = async () => {
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
      if (!client) throw new Error('The connection was given back');
      try {
        // pg copies the values; Kysely's result shape is a part of pg's.
        const values = parameters as unknown[];
        const result = await client.query(namesStatements ? { name: nameOf(sql), text: sql, values } : { text: sql, values });
        if (closesTransaction.test(sql)) inTransaction = false;
        return result as unknown as PostgresQueryResult<R>;
      } catch (err) {
        broken ||= isBroken(err);
        if (inTransaction || attempt === maxAttempts) throw translateError(err);
        if (isConflict(err)) await delay(Math.random() * 10 * 2 ** attempt);
        // More than once: the next connection from the pool may have broken at the same moment.
        else if (broken && isRead.test(sql) && performance.now() - started < promptMs) await renew();
        else throw translateError(err);
      }
    }
  }

  return {
    // The overload for cursors is not served: nothing here streams from PostgreSQL.
    query: run as PostgresPoolClient['query'],
    release(destroy) {
      client?.release(destroy || broken);
      client = undefined;
    },
  };
}

const names = new Map<string, string>();

/** Statements that are prepared under a name are few and always the same. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? hash('sha256', sql, 'base64url');
  names.set(sql, name);
  return name;
}

async function checkOut(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (err) {
    throw translateError(err);
  }
}

const opensTransaction = /^(begin|start transaction)\b/;
const closesTransaction = /^(commit|rollback)$/;
const isRead = /^select\b(?!.*\bfor (update|share|no key update|key share)\b)/s;
