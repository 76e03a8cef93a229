import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { Account } from './accounts.ts';

export interface SessionRecord {
  id: string;
  accountId: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  address: string | null;
  userAgent: string | null;
}

/** Which sessions count: not idle for too long, and not created before `createdAfter`. */
export interface SessionWindow {
  now: Date;
  createdAfter: Date;
}

const columns = [
  'sessions.id',
  'sessions.account_id as accountId',
  'sessions.expires_at as expiresAt',
  'sessions.created_at as createdAt',
  'sessions.updated_at as updatedAt',
  'sessions.ip_address as address',
  'sessions.user_agent as userAgent',
] as const;

/** Browser sessions. The cookie's token is stored as a digest, so a copy of the database cannot be used to sign in. */
export function createSessionStore(db: Kysely<Database>) {
  const selectActive = ({ now, createdAfter }: SessionWindow) =>
    db
      .selectFrom('sessions')
      .where('sessions.expires_at', '>', now.toISOString())
      .where('sessions.created_at', '>', createdAfter.toISOString());

  return {
    async insert({ tokenDigest, ...session }: SessionRecord & { tokenDigest: string }): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          token: tokenDigest,
          account_id: session.accountId,
          expires_at: session.expiresAt,
          ip_address: session.address,
          user_agent: session.userAgent,
          created_at: session.createdAt,
          updated_at: session.updatedAt,
        })
        .execute();
    },

    /** The session of a token together with its account, in one read. */
    async find(tokenDigest: string, window: SessionWindow): Promise<{ session: SessionRecord; account: Account } | undefined> {
      const row = await selectActive(window)
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .select([...columns, 'accounts.email', 'accounts.name', 'accounts.revision', 'accounts.key_serial as keySerial'])
        .where('sessions.token', '=', tokenDigest)
        .executeTakeFirst();
      if (!row) return undefined;
      const { email, name, revision, keySerial, ...session } = row;
      return { session, account: { id: session.accountId, email, name, revision, keySerial } };
    },

    /** An account's sessions, the most recent sign-in first. */
    async list(accountId: string, window: SessionWindow): Promise<SessionRecord[]> {
      return selectActive(window)
        .select(columns)
        .where('sessions.account_id', '=', accountId)
        .orderBy('sessions.created_at', 'desc')
        .orderBy('sessions.id', 'desc')
        .execute();
    },

    async extend(id: string, { expiresAt, updatedAt }: { expiresAt: string; updatedAt: string }): Promise<void> {
      await db.updateTable('sessions').set({ expires_at: expiresAt, updated_at: updatedAt }).where('id', '=', id).execute();
    },

    /** False when the account has no such session. */
    async delete(accountId: string, id: string): Promise<boolean> {
      const result = await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '=', id).executeTakeFirstOrThrow();
      return result.numDeletedRows === 1n;
    },

    async deleteOthers(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '<>', id).execute();
    },

    async deleteByToken(tokenDigest: string): Promise<void> {
      await db.deleteFrom('sessions').where('token', '=', tokenDigest).execute();
    },

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('sessions').where('expires_at', '<', now.toISOString()).execute();
    },
  };
}
