import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { createAccountStore } from './accounts/accounts.ts';
import { createActivityStore } from './accounts/activity.ts';
import { createKeyStore } from './accounts/keys.ts';
import { createPasswordResetStore } from './accounts/password-resets.ts';
import { raiseRevision } from './accounts/revision.ts';
import { createSessionStore } from './accounts/sessions.ts';
import { createSignInAddressStore } from './accounts/sign-in-addresses.ts';
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
import { findExpiredPrompts, removePrompts } from './prompts/remove-prompts.ts';
import { createUsageCounter, type Quotas, storeUsage, type UsageCounter, unlimited } from './prompts/usage.ts';
import { createVersionStore } from './prompts/versions.ts';
import { createPromptStatisticsStore } from './statistics/prompt-statistics.ts';
import { createStatisticsStore } from './statistics/statistics.ts';
import { createRollupStore } from './statistics/statistics-rollup.ts';
import { createUsageBatchStore } from './statistics/usage-batches.ts';
import type { Database } from './tables.ts';
import { runTransaction } from './transaction.ts';

export { hasEmbeddedDatabase } from './engine/open.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the database and applies missing migrations. */
export async function openStore({ quotas = unlimited, ...settings }: DatabaseSettings & { quotas?: Quotas }) {
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
    signInAddresses: createSignInAddressStore(db),
    throttles: createThrottleStore(db),
    twoFactor: createTwoFactorStore(db),
    passwordResets: createPasswordResetStore(db),
    ...bindPromptStores(db),
    usageBatches: createUsageBatchStore(db),
    statistics: { ...createStatisticsStore(db), ...createRollupStore(db) },
    promptStatistics: createPromptStatisticsStore(db),
    activity: createActivityStore(db),
    meta: createMetaStore(db),

    /** Loads the keys into memory, with the embedded engine. Resolves when that is done. */
    preloadKeys: (): Promise<void> => database.preloadKeys(),

    /** Metrics of the connection pools and key lookups, or of the embedded engine's key index. */
    metrics: (): StoreMetric[] => database.metrics(),

    /**
     * Changes an account's prompts in one transaction. Raising the revision comes first, because the row lock makes concurrent writers
     * of an account wait for each other instead of failing with a conflict, and lets the usage be counted. Throws `unauthorized` if the
     * account was deleted since the request was authenticated.
     */
    async changePrompts<T>(accountId: string, change: (stores: PromptStores) => Promise<T>): Promise<T> {
      return runTransaction(db, async (transaction) => {
        const current = await raiseRevision(transaction, accountId);
        if (!current) throw new AppError('unauthorized');
        const usage = createUsageCounter(current, quotas);
        const result = await change(bindPromptStores(transaction, usage));
        await storeUsage(transaction, accountId, usage.added);
        return result;
      });
    },

    /** Permanently removes a batch of the prompts that were deleted before a time. Returns false if there are none. */
    async removeExpiredPrompts(deletedBefore: Date): Promise<boolean> {
      const expired = await findExpiredPrompts(db, deletedBefore);
      if (!expired) return false;
      await runTransaction(db, async (transaction) => {
        await raiseRevision(transaction, expired.accountId);
        await removePrompts(transaction, expired);
      });
      return true;
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
function bindPromptStores(db: Kysely<Database>, usage?: UsageCounter) {
  return {
    prompts: createPromptStore(db, usage),
    versions: createVersionStore(db, usage),
    labels: createLabelStore(db),
    history: createHistoryStore(db),
  };
}
