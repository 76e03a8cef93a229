import { sql } from 'kysely';
import { createAccountStore } from './accounts.ts';
import { type DatabaseSettings, openDatabase } from './dialect/open.ts';
import { createKeyLookup } from './key-lookup.ts';
import { createMetaStore } from './meta.ts';
import { migrate } from './migrate.ts';
import { createPromptStore } from './prompts.ts';
import { createSessionStore } from './sessions.ts';
import { createThrottleStore } from './throttles.ts';

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
  const { db, close } = database;

  return {
    accounts: createAccountStore(db, createKeyLookup(database)),
    sessions: createSessionStore(db),
    throttles: createThrottleStore(db),
    prompts: createPromptStore(db),
    meta: createMetaStore(db),

    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    close,
  };
}
