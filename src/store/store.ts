import { sql } from 'kysely';
import { createAccountStore } from './accounts.ts';
import { openDatabase } from './dialect.ts';
import { createMetaStore } from './meta.ts';
import { migrate } from './migrate.ts';
import { createPromptStore } from './prompts.ts';
import { createSessionStore } from './sessions.ts';
import { createThrottleStore } from './throttles.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the database and brings its schema up to date. */
export async function openStore(options: { dataDir: string }) {
  const db = openDatabase(options.dataDir);
  try {
    await migrate(db);
  } catch (err) {
    await db.destroy();
    throw err;
  }

  return {
    accounts: createAccountStore(db),
    sessions: createSessionStore(db),
    throttles: createThrottleStore(db),
    prompts: createPromptStore(db),
    meta: createMetaStore(db),

    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    close: () => db.destroy(),
  };
}
