import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { createAccountEventStore } from './account-events.ts';
import { createAccountStore } from './accounts.ts';
import { type CopyCounts, type CopyProgress, copyDatabase } from './copy.ts';
import { type DatabaseSettings, openDatabase } from './dialect/open.ts';
import { sqliteFileIn } from './dialect/sqlite.ts';
import type { StoreFigure } from './figures.ts';
import { createHistoryStore } from './history.ts';
import { createKeyLookup } from './key-lookup.ts';
import { createLabelStore } from './labels.ts';
import { createMetaStore } from './meta.ts';
import { migrate } from './migrate.ts';
import { createPromptStore } from './prompts.ts';
import { createRecordingStore } from './recordings.ts';
import { createResetLinkStore } from './reset-links.ts';
import { createRollupStore } from './rollup.ts';
import { createSessionStore } from './sessions.ts';
import { createStatisticsStore } from './statistics.ts';
import type { Database } from './tables.ts';
import { createThrottleStore } from './throttles.ts';
import { runTransaction } from './transaction.ts';
import { createTwoFactorStore } from './two-factors.ts';
import { createVersionStore } from './versions.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the database and brings its schema up to date. */
export async function openStore(settings: DatabaseSettings) {
  const database = await openDatabase(settings);
  try {
    await database.runLong(migrate);
  } catch (err) {
    await database.close();
    throw err;
  }
  const { db } = database;
  const keys = createKeyLookup(database);

  return {
    accounts: createAccountStore(db, keys.findByKey),
    sessions: createSessionStore(db),
    throttles: createThrottleStore(db),
    twoFactors: createTwoFactorStore(db),
    resetLinks: createResetLinkStore(db),
    ...bindPromptStores(db),
    recordings: createRecordingStore(db),
    statistics: { ...createStatisticsStore(db), ...createRollupStore(db) },
    accountEvents: createAccountEventStore(db),
    meta: createMetaStore(db),

    /** How connections and lookups are doing, for the operator. Which figures there are depends on the engine. */
    figures: (): StoreFigure[] => [...database.figures(), ...keys.figures()],

    /**
     * Changes an account's prompts in one transaction. It begins by raising the account's revision, which makes every answer kept
     * for the old one obsolete, and lets an account's writers wait for each other instead of running into each other.
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

    /** Copies everything into an empty database of another engine. */
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

    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    async close(): Promise<void> {
      keys.close();
      await database.close();
    },
  };
}

export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(sqliteFileIn(dataDir));
}

export type PromptStores = ReturnType<typeof bindPromptStores>;

/** The stores a change of prompts works on: of the database at large, or of one transaction. */
function bindPromptStores(db: Kysely<Database>) {
  return {
    prompts: createPromptStore(db),
    versions: createVersionStore(db),
    labels: createLabelStore(db),
    history: createHistoryStore(db),
  };
}
