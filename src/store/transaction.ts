import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { isConflict } from './engine/errors.ts';
import type { Database } from './tables.ts';

const maxAttempts = 5;

/**
 * Runs `work` in a transaction, and again from the start where it lost against another one: a deadlock or a serialization failure
 * leaves nothing behind. `work` must therefore change nothing but the database.
 */
export async function runTransaction<T>(db: Kysely<Database>, work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (err) {
      if (attempt === maxAttempts || !isConflict(err)) throw err;
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}
