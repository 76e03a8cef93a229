import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { isConflict } from './engine/errors.ts';

const maxAttempts = 5;

/**
 * Runs `work` in a transaction. After a deadlock or a serialization failure, which undo the transaction, runs it again. `work` must
 * therefore have no effects outside the database.
 */
export async function runTransaction<DB, T>(db: Kysely<DB>, work: (transaction: Transaction<DB>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (err) {
      if (attempt === maxAttempts || !isConflict(err)) throw err;
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}
