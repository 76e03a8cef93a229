import { type Kysely, type Selection, sql, type Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import { hasRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import type { AccountRecord } from './accounts.ts';
import { type Credential, changeWithCredential, holdAccount } from './credentials.ts';
import type { IdentityKey } from './identities.ts';
import { endOtherSessions, insertSession, type NewSessionRecord } from './new-sessions.ts';
import { isLoggedOut, type SessionProvider } from './provider-sessions.ts';
import { revisionColumn, revisionSqlOf } from './revision.ts';
import { hasPasskeys } from './second-factors.ts';

/** The state of an account that a sign-in verified. */
export interface VerifiedProof {
  passwordHash: string;
  twoFactorConfirmedAt: string | null;
  /** An account with passkeys requires a second factor. */
  hasPasskeys: boolean;
  /** The identity with which the person signed in at a provider, and when the provider stated it. */
  identity?: IdentityKey & { issuedAt: Date };
  /** When the person proved their identity in full, unless this was just now. */
  provedAt?: Date;
}

/** The times after which a session expires: since its last use, and since the sign-in. */
export interface SessionTimes {
  idleMs: number;
  lifetimeMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;
export const defaultSessionTimes: SessionTimes = { idleMs: 7 * dayMs, lifetimeMs: 30 * dayMs };

/** Selects the active sessions: sessions that are not expired at `now` and were created after `createdAfter`. */
export interface SessionWindow {
  now: Date;
  createdAfter: Date;
}

const columns = [
  'sessions.id',
  'sessions.created_at as createdAt',
  'sessions.updated_at as updatedAt',
  'sessions.ip_address as address',
  'sessions.user_agent as userAgent',
] as const;

type SessionRecord = Selection<Database, 'sessions', (typeof columns)[number]>;

/**
 * Reads and writes browser sessions. Only the digest of the cookie's token is stored, so a copy of the database cannot be used to sign in.
 */
export function createSessionStore(db: Kysely<Database>) {
  const selectActive = ({ now, createdAfter }: SessionWindow) =>
    db
      .selectFrom('sessions')
      .where('sessions.expires_at', '>', now.toISOString())
      .where('sessions.created_at', '>', createdAfter.toISOString());

  return {
    /**
     * Inserts a session, and ends the oldest sessions of an account that has too many. If the password or the second factor has changed
     * since the sign-in verified it, or the identity was removed or signed out at the provider, inserts nothing and returns false. Throws
     * `unauthorized` if the account is deleted.
     */
    async insert(session: NewSessionRecord, verified: VerifiedProof): Promise<boolean> {
      return runTransaction(db, async (transaction) => {
        const { accountId } = session;
        // Changes to the password or the second factor lock the same row, so neither can change before the commit.
        const account = await holdAccount(transaction, accountId);
        if (!account) throw new AppError('unauthorized');
        const twoFactor = await transaction
          .selectFrom('two_factors')
          .select('confirmed_at as confirmedAt')
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        const isCurrent =
          account.passwordHash === verified.passwordHash &&
          (twoFactor?.confirmedAt ?? null) === verified.twoFactorConfirmedAt &&
          (await hasPasskeys(transaction, accountId)) === verified.hasPasskeys &&
          (await isLinked(transaction, accountId, verified.identity));
        if (!isCurrent || (await isSignedOut(transaction, session.provider, verified.identity))) return false;
        await insertSession(transaction, session);
        return true;
      });
    },

    /**
     * Finds the session of a token and its account in one query. As with a key, the account acts in `workspaceId` if it is a member of that
     * workspace.
     */
    async find(
      tokenDigest: string,
      window: SessionWindow,
      workspaceId = '',
    ): Promise<{ session: Pick<SessionRecord, 'id' | 'updatedAt'>; account: AccountRecord } | undefined> {
      const row = await selectActive(window)
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .leftJoin('memberships', (join) =>
          join.onRef('memberships.account_id', '=', 'accounts.id').on('memberships.workspace_id', '=', workspaceId),
        )
        .leftJoin('accounts as workspaces', (join) =>
          join.onRef('workspaces.id', '=', 'memberships.workspace_id').on('workspaces.deleted_at', 'is', null),
        )
        .select([
          'sessions.id as sessionId',
          'sessions.updated_at as updatedAt',
          'accounts.id',
          'accounts.email',
          'accounts.name',
          revisionColumn,
          'accounts.key_serial as keySerial',
          'accounts.email_verified_at as emailVerifiedAt',
          'workspaces.id as workspaceId',
          sql.raw<number>(revisionSqlOf('workspaces')).as('workspaceRevision'),
          'memberships.role',
        ])
        .where('sessions.token', '=', tokenDigest)
        .where('accounts.deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      const { sessionId, updatedAt, workspaceId: joinedId, workspaceRevision: revision, role, ...account } = row;
      const isMember = joinedId !== null && role !== null;
      const membership = isMember ? { membership: { workspaceId: joinedId, revision, role } } : {};
      return { session: { id: sessionId, updatedAt }, account: { ...account, ...membership } };
    },

    /** Finds the provider that started a session. */
    async findProvider(id: string): Promise<SessionProvider | undefined> {
      const row = await db
        .selectFrom('sessions')
        .select(['issuer', 'subject', 'provider_session as sessionId'])
        .where('id', '=', id)
        .executeTakeFirst();
      return toProvider(row);
    },

    /** Lists the active sessions of an account, most recent sign-in first. */
    async list(accountId: string, window: SessionWindow): Promise<SessionRecord[]> {
      return selectActive(window)
        .select(columns)
        .where('sessions.account_id', '=', accountId)
        .orderBy('sessions.created_at', 'desc')
        .orderBy('sessions.id', 'desc')
        .execute();
    },

    /** Finds the time at which the person behind a session last proved their identity. */
    async findProvedAt(id: string): Promise<string | undefined> {
      const row = await db.selectFrom('sessions').select('proved_at').where('id', '=', id).executeTakeFirst();
      return row?.proved_at ?? undefined;
    },

    /** Records that the person behind a session has just proved their identity. */
    async setProved(credential: Credential & { via: 'session' }): Promise<void> {
      await changeWithCredential(db, credential, async (transaction) => {
        const provedAt = new Date().toISOString();
        await transaction.updateTable('sessions').set({ proved_at: provedAt }).where('id', '=', credential.sessionId).execute();
      });
    },

    async extend(id: string, { expiresAt, updatedAt }: { expiresAt: string; updatedAt: string }): Promise<void> {
      await db.updateTable('sessions').set({ expires_at: expiresAt, updated_at: updatedAt }).where('id', '=', id).execute();
    },

    /** Deletes a session. Returns false if the account has no such session. */
    async delete(accountId: string, id: string): Promise<boolean> {
      const result = await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '=', id).executeTakeFirstOrThrow();
      return result.numDeletedRows === 1n;
    },

    /** Ends all sessions of the account except the credential's own session. Returns whether any sessions were ended. */
    deleteOthers: (credential: Credential): Promise<boolean> =>
      changeWithCredential(db, credential, (transaction) => endOtherSessions(transaction, credential)),

    /** Deletes the session of a token, and returns its account and its provider. */
    async deleteByToken(tokenDigest: string): Promise<{ accountId: string; issuer: string | null } | undefined> {
      return db.deleteFrom('sessions').where('token', '=', tokenDigest).returning(['account_id as accountId', 'issuer']).executeTakeFirst();
    },
  };
}

function toProvider(
  row: { issuer: string | null; subject: string | null; sessionId: string | null } | undefined,
): SessionProvider | undefined {
  if (!row || row.issuer === null || row.subject === null) return undefined;
  return { issuer: row.issuer, subject: row.subject, sessionId: row.sessionId };
}

/** Returns whether the account still has the identity. Identities are removed only while the account's row is locked. */
async function isLinked(db: Kysely<Database>, accountId: string, identity: IdentityKey | undefined): Promise<boolean> {
  if (!identity) return true;
  const { issuer, subject } = identity;
  const linked = db.selectFrom('identities').where('account_id', '=', accountId);
  return hasRows(linked.where('issuer', '=', issuer).where('subject', '=', subject));
}

async function isSignedOut(
  transaction: Transaction<Database>,
  provider: SessionProvider | undefined,
  identity: VerifiedProof['identity'],
): Promise<boolean> {
  return provider !== undefined && identity !== undefined && isLoggedOut(transaction, provider, identity.issuedAt);
}
