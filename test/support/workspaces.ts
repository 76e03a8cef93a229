import type { Kysely } from 'kysely';
import type { Role } from '../../src/contract/roles.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { Database } from '../../src/store/tables.ts';
import type { TestDatabase } from './engines.ts';

/** Works on a database directly, while no service uses it: the embedded engine's file belongs to one process. */
export async function withDatabase<T>({ env, dataDir }: TestDatabase, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const opened = await openDatabase({ dataDir, databaseUrl: env.DATABASE_URL });
  try {
    return await opened.runLong(work);
  } finally {
    await opened.close();
  }
}

/** A member of a workspace, as the authentication step finds it. */
export function actorWith(workspaceId: string, role: Role, via: Actor['via'] = 'key'): Actor {
  const fields = { workspaceId, revision: 0, accountId: `u_${role}`, email: `${role}@example.com`, name: `The ${role}`, role };
  return via === 'key'
    ? { ...fields, via, key: 'ph_none', keySerial: 1 }
    : { ...fields, via, sessionId: `s_${role}`, keySerial: undefined };
}
