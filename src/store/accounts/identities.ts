import { type Kysely, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { isDuplicate } from '../engine/errors.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { type NewAccount, toNewColumns } from './accounts.ts';
import { type Credential, changeWithCredential, holdAccount } from './credentials.ts';
import { acceptLogout, type ProviderLogout, type RefusedSignIn, refuseSignIns } from './provider-sessions.ts';
import { hasPasskeys, hasPasskeysColumn } from './second-factors.ts';
import { type AllowedMethods, assertSignInMethod } from './sign-in-methods.ts';
import { type UsedToken, useToken } from './used-tokens.ts';

/** A person at an OpenID Connect provider. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

interface NewIdentity extends IdentityKey {
  accountId: string;
  email: string | null;
}

/** Reads and writes the identities of accounts at OpenID Connect providers. An account has at most one identity at each provider. */
export function createIdentityStore(db: Kysely<Database>) {
  return {
    /** Finds the account of an identity, with the state on which a new session depends. */
    async findAccount({ issuer, subject }: IdentityKey) {
      return selectOwners(db).where('identities.issuer', '=', issuer).where('identities.subject', '=', subject).executeTakeFirst();
    },

    async list(accountId: string) {
      return db
        .selectFrom('identities')
        .select(['issuer', 'email', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('issuer')
        .execute();
    },

    /** Records a sign-in. */
    async touch({ issuer, subject }: IdentityKey, email: string | null): Promise<void> {
      await db
        .updateTable('identities')
        .set({ email, last_used_at: new Date().toISOString() })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute();
    },

    /**
     * Inserts an account without a password, together with its identity. If the account or the identity already exists, returns which one.
     */
    async register(
      account: NewAccount,
      { isVerified, ...identity }: Omit<NewIdentity, 'accountId'> & { isVerified: boolean },
    ): Promise<'email' | 'identity' | undefined> {
      return runTransaction(db, async (transaction) => {
        const columns = toNewColumns(account);
        const { numInsertedOrUpdatedRows: inserted } = await transaction
          .insertInto('accounts')
          .values({ ...columns, ...(isVerified && { email_verified_at: columns.created_at }) })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .executeTakeFirstOrThrow();
        if (inserted !== 1n) return 'email';
        await insertIdentity(transaction, { ...identity, accountId: account.id });
        return undefined;
      }).catch((err: unknown) => {
        if (isDuplicate(err)) return 'identity';
        throw err;
      });
    },

    /** Adds an identity to the credential's account. Throws if the identity is linked already, or the account has one at this provider. */
    async link(credential: Credential, identity: Omit<NewIdentity, 'accountId'>): Promise<void> {
      const { accountId } = credential;
      await changeWithCredential(db, credential, (transaction) => insertIdentity(transaction, { ...identity, accountId })).catch(refuse);
    },

    /**
     * Adds an identity to the account with the email address that the provider has just stated. Throws `identity_unlinked` unless the
     * account has a verified address and neither a second factor nor a passkey, because a sign-in at the provider then replaces the
     * account's other ways to sign in.
     */
    async linkByEmail(identity: NewIdentity): Promise<void> {
      const { accountId } = identity;
      await runTransaction(db, async (transaction) => {
        await holdAccount(transaction, accountId);
        const account = await selectLinkable(transaction, accountId);
        if (!account || (await hasPasskeys(transaction, accountId))) throw new AppError('identity_unlinked');
        await insertIdentity(transaction, identity);
      }).catch(refuse);
    },

    /**
     * Removes the account's identity at a provider, and ends the account's other sessions that this provider started. Returns false if
     * there is no such identity. Throws if the account would have no other way to sign in.
     */
    async unlink(credential: Credential, { issuer, allowed }: { issuer: string; allowed: AllowedMethods }): Promise<boolean> {
      const { accountId } = credential;
      return changeWithCredential(db, credential, async (transaction) => {
        const { numDeletedRows: removed } = await transaction
          .deleteFrom('identities')
          .where('account_id', '=', accountId)
          .where('issuer', '=', issuer)
          .executeTakeFirstOrThrow();
        if (removed !== 1n) return false;
        await assertSignInMethod(transaction, accountId, allowed);
        let ending = transaction.deleteFrom('sessions').where('account_id', '=', accountId).where('issuer', '=', issuer);
        if (credential.via === 'session') ending = ending.where('id', '<>', credential.sessionId);
        await ending.execute();
        return true;
      });
    },

    acceptLogout: (logout: ProviderLogout): Promise<string[] | undefined> => acceptLogout(db, logout),

    refuseSignIns: (refused: RefusedSignIn): Promise<boolean> => refuseSignIns(db, refused),

    useToken: (token: UsedToken): Promise<boolean> => useToken(db, token),
  };
}

function selectOwners(db: Kysely<Database>) {
  return db
    .selectFrom('identities')
    .innerJoin('accounts', 'accounts.id', 'identities.account_id')
    .leftJoin('two_factors', 'two_factors.account_id', 'accounts.id')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.name',
      'accounts.password_hash as passwordHash',
      'two_factors.confirmed_at as twoFactorConfirmedAt',
      hasPasskeysColumn,
    ])
    .where('accounts.deleted_at', 'is', null);
}

async function selectLinkable(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('two_factors', 'two_factors.account_id', 'accounts.id')
    .select('id')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('email_verified_at', 'is not', null)
    .where(sql<boolean>`two_factors.confirmed_at is null`)
    .executeTakeFirst();
}

async function insertIdentity(db: Kysely<Database>, { accountId, ...identity }: NewIdentity): Promise<void> {
  const now = new Date().toISOString();
  await db
    .insertInto('identities')
    .values({ ...identity, account_id: accountId, created_at: now, last_used_at: now })
    .execute();
}

function refuse(err: unknown): never {
  throw isDuplicate(err) ? new AppError('identity_taken', { cause: err }) : err;
}
