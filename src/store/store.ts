import { type Kysely, sql } from 'kysely';
import { createAccountStore } from './accounts/accounts.ts';
import { createActivityStore } from './accounts/activity.ts';
import { createKeyStore } from './accounts/keys.ts';
import { createPasswordResetStore } from './accounts/password-resets.ts';
import { createSessionStore } from './accounts/sessions.ts';
import { createThrottleStore } from './accounts/throttles.ts';
import { createTwoFactorStore } from './accounts/two-factor.ts';
import { type CopyCounts, type CopyProgress, copyDatabase } from './engine/copy.ts';
import { type DatabaseSettings, openDatabase } from './engine/open.ts';
import { createMetaStore } from './meta.ts';
import type { StoreMetric } from './metrics.ts';
import { migrate } from './migrate.ts';
import { createHistoryStore } from './prompts/history.ts';
import { createLabelStore } from './prompts/labels.ts';
import { createPromptStore } from './prompts/prompts.ts';
import { createVersionStore } from './prompts/versions.ts';
import { createStatisticsStore } from './statistics/statistics.ts';
import { createRollupStore } from './statistics/statistics-rollup.ts';
import { createUsageBatchStore } from './statistics/usage-batches.ts';
import type { Database } from './tables.ts';
import { runTransaction } from './transaction.ts';

export { hasEmbeddedDatabase } from './engine/open.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the database and applies missing migrations. */
export async function openStore(settings: DatabaseSettings) {
  const database = await openDatabase(settings);
  try {
    await database.runLong(migrate);
  } catch (err) {
    await database.close();
    throw err;
  }
  const { db } = database;

  return {
    accounts: createAccountStore(db),
    keys: createKeyStore(db, database.createKeyLookup({ maxBytes: settings.keyIndexMib && settings.keyIndexMib * 1024 * 1024 })),
    sessions: createSessionStore(db),
    throttles: createThrottleStore(db),
    twoFactor: createTwoFactorStore(db),
    passwordResets: createPasswordResetStore(db),
    ...bindPromptStores(db),
    usageBatches: createUsageBatchStore(db),
    statistics: { ...createStatisticsStore(db), ...createRollupStore(db) },
    activity: createActivityStore(db),
    meta: createMetaStore(db),

    /** Loads the keys into memory, with the embedded engine. Resolves when that is done. */
    preloadKeys: (): Promise<void> => database.preloadKeys(),

    /** Metrics of the connection pools and key lookups, or of the embedded engine's key index. */
    metrics: (): StoreMetric[] => database.metrics(),

    /**
     * Changes an account's prompts in one transaction. Raising the revision invalidates every response cached for the old one. It comes
     * first, because the row lock makes concurrent writers of an account wait for each other instead of failing with a conflict.
     */
    async changePrompts<T>(accountId: string, change: (stores: PromptStores) => Promise<T>): Promise<T> {
      return runTransaction(db, async (transaction) => {
        await transaction
          .updateTable('accounts')
          .set((eb) => ({ revision: eb('revision', '+', 1) }))
          .where('id', '=', accountId)
          .execute();
        return change(bindPromptStores(transaction));
      });
    },

    /** Copies all rows to an empty database of another engine. */
    async copyTo(settings: DatabaseSettings, onProgress: (progress: CopyProgress) => void): Promise<CopyCounts> {
      const target = await openDatabase(settings);
      try {
        return await target.runLong(async (targetDb) => {
          await migrate(targetDb);
          return copyDatabase(db, targetDb, onProgress);
        });
      } finally {
        await target.close();
      }
    },

    /** Rejects if the database does not respond. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    close: (): Promise<void> => database.close(),
  };
}

export type PromptStores = ReturnType<typeof bindPromptStores>;

/** The stores that `changePrompts` binds to its transaction. */
function bindPromptStores(db: Kysely<Database>) {
  return {
    prompts: createPromptStore(db),
    versions: createVersionStore(db),
    labels: createLabelStore(db),
    history: createHistoryStore(db),
  };
}
