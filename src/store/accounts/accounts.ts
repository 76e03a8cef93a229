import { type Kysely, sql, type Transaction } from 'kysely';
import type { Role } from '../../contract/roles.ts';
import { countRows, hasRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { type Credential, changeWithCredential } from './credentials.ts';
import { deleteAccount, deleteLinks } from './delete-account.ts';
import type { FirstProof } from './earlier-access.ts';
import { insertSession, type NewSessionRecord } from './new-sessions.ts';
import { hasPassword } from './no-password.ts';
import { findDeletedAccount, removeAccount } from './remove-account.ts';
import { nextRevision, revisionColumn } from './revision.ts';
import { hasPasskeysColumn } from './second-factors.ts';
import { teamPrefix } from './team-ids.ts';

/** The result of the key lookup. */
export interface AccountRecord {
  id: string;
  email: string;
  name: string;
  /** The revision of the account's own workspace. */
  revision: number;
  /** The number of the current key. The first key has the number 1, and every reset increases it. */
  keySerial: number;
  /** When the address was first verified. Null for unverified addresses, and for service accounts, which have no address. */
  emailVerifiedAt: string | null;
  /** The workspace to which a service account belongs. Every other account has its own workspace. */
  homeWorkspaceId?: string | null;
  /** The workspace in which the account acts, if it is not the account's own. */
  membership?: Membership;
}

/** The data that a request needs about an account's membership in a workspace that is not its own. */
export interface Membership {
  workspaceId: string;
  /** The workspace's revision. */
  revision: number;
  role: Role;
}

export interface AccountCredentials extends AccountRecord {
  passwordHash: string;
  keyDigest: string;
  keyCipher: string;
}

/** The data with which a sign-in is checked. */
export type SignInRecord = NonNullable<Awaited<ReturnType<ReturnType<typeof createAccountStore>['findForSignIn']>>>;

export type NewAccount = Pick<AccountCredentials, 'id' | 'email' | 'name' | 'passwordHash' | 'keyDigest' | 'keyCipher'>;

const credentialColumns = [
  'accounts.id',
  'accounts.email',
  'accounts.name',
  revisionColumn,
  'accounts.key_serial as keySerial',
  'accounts.email_verified_at as emailVerifiedAt',
  'accounts.password_hash as passwordHash',
  'accounts.key_digest as keyDigest',
  'accounts.key_cipher as keyCipher',
] as const;

export function createAccountStore(db: Kysely<Database>) {
  const selectCredentials = () => db.selectFrom('accounts').select(credentialColumns).where('deleted_at', 'is', null);

  return {
    existAny: (): Promise<boolean> => hasRows(db.selectFrom('accounts').where('deleted_at', 'is', null)),

    /** Finds an account by its email. Service accounts are never found, because they have no email address of their own. */
    async findByEmail(email: string): Promise<AccountCredentials | undefined> {
      return selectCredentials().where('email', '=', email).where('home_workspace_id', 'is', null).executeTakeFirst();
    },

    async findById(id: string): Promise<AccountCredentials | undefined> {
      return selectCredentials().where('id', '=', id).executeTakeFirst();
    },

    /** Finds the credentials of an account if it still has this session. A session that has ended cannot see them. */
    async findBySession(id: string, sessionId: string): Promise<AccountCredentials | undefined> {
      const hasSession = sql<boolean>`exists (select 1 from sessions where id = ${sessionId} and account_id = ${id})`;
      return selectCredentials().where('id', '=', id).where(hasSession).executeTakeFirst();
    },

    /** Finds all data that a sign-in from an address needs, in one query, so that unknown emails take as long as known emails. */
    async findForSignIn(email: string, address: string) {
      const row = await db
        .selectFrom('accounts')
        .leftJoin('two_factors', 'two_factors.account_id', 'accounts.id')
        .leftJoin('sign_in_addresses', (join) =>
          join.onRef('sign_in_addresses.account_id', '=', 'accounts.id').on('sign_in_addresses.address', '=', address),
        )
        .select(credentialColumns)
        .select([
          // The secret of the authenticator. It may be unconfirmed.
          'two_factors.secret_cipher as secretCipher',
          'two_factors.confirmed_at as twoFactorConfirmedAt',
          'sign_in_addresses.last_used_at as addressLastUsedAt',
          hasPasskeysColumn,
        ])
        .where('accounts.email', '=', email)
        .where('accounts.home_workspace_id', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      const { secretCipher, twoFactorConfirmedAt, addressLastUsedAt, hasPasskeys, ...account } = row;
      return { account, secretCipher, twoFactorConfirmedAt, addressLastUsedAt, hasPasskeys: hasPasskeys === 1 };
    },

    /** Finds the data that the account's owner sees. */
    async findProfile(id: string) {
      const row = await db
        .selectFrom('accounts')
        .leftJoin('two_factors', 'two_factors.account_id', 'accounts.id')
        .select([
          'id',
          'email',
          'name',
          'created_at as createdAt',
          'key_created_at as keyCreatedAt',
          'confirmed_at as confirmedAt',
          'email_verified_at as emailVerifiedAt',
          'invited_at as invitedAt',
          hasPasskeysColumn,
          'password_hash as passwordHash',
        ])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      const { confirmedAt, emailVerifiedAt, invitedAt, hasPasskeys, passwordHash, ...profile } = row;
      return {
        ...profile,
        hasPassword: hasPassword(passwordHash),
        twoFactor: confirmedAt !== null,
        hasPasskeys: hasPasskeys === 1,
        emailVerified: emailVerifiedAt !== null,
        acceptedInvitation: invitedAt !== null,
      };
    },

    /**
     * Inserts the account, its password and its key in one statement. Returns false if the email is taken. If the account registers with an
     * invitation link, `provedBy` says how the link proves the address. See `FirstProof`.
     */
    async insert({ provedBy, ...account }: NewAccount & { provedBy?: FirstProof['by'] | undefined }): Promise<boolean> {
      const columns = toNewColumns(account);
      const now = columns.created_at;
      const proof = provedBy === 'mail' ? { email_verified_at: now } : provedBy === 'invitation' ? { invited_at: now } : {};
      const result = await db
        .insertInto('accounts')
        .values({ ...columns, ...proof })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    /**
     * Renames an account. Renaming also raises the revision, because responses contain the owner's name for changes that were made before
     * workspaces had members.
     */
    async rename(id: string, name: string): Promise<void> {
      await db
        .updateTable('accounts')
        .set((eb) => ({ name, updated_at: new Date().toISOString(), ...nextRevision(eb) }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .execute();
    },

    /**
     * Sets a new password, ends all sessions, starts `session` in place of the credential's own session, and deletes the reset links of a
     * verified address. If `currentHash` is given, it must still be the stored hash. Returns false if the hash has changed, or if there is
     * no such account.
     */
    async replacePassword(
      credential: Credential,
      { session, ...change }: { passwordHash: string; currentHash?: string | undefined; session?: NewSessionRecord },
    ): Promise<boolean> {
      const work = async (transaction: Transaction<Database>) => {
        const isChanged = await setPassword(transaction, { id: credential.accountId, ...change });
        if (isChanged && session) await insertSession(transaction, session);
        return isChanged;
      };
      return changeWithCredential(db, credential, work, session);
    },

    /**
     * Deletes the account. Its key, password, email, name, second factor and sessions are removed immediately, as are its workspace with
     * members, invitations and service accounts, and its memberships elsewhere. There may be very many other rows, so `removeDeleted`
     * removes them in batches. Ids and times are kept as evidence of the deletion. Returns the ids of all deleted accounts: the account's
     * own id and those of its service accounts. Returns an empty list if there is no such account.
     */
    async delete(id: string, credential: Credential = { accountId: id, via: 'system' }): Promise<string[]> {
      return changeWithCredential(db, credential, (transaction) => deleteAccount(transaction, id));
    },

    /** Finds a deleted account that still has rows. */
    findDeleted: () => findDeletedAccount(db),

    /** Removes a batch of a deleted account's rows. Returns true when no rows are left. */
    removeDeleted: (id: string) => removeAccount(db, id),

    /** Lists the accounts that were deleted since a time. */
    async listDeletedSince(time: Date): Promise<string[]> {
      const rows = await db.selectFrom('deleted_accounts').select('id').where('deleted_at', '>=', time.toISOString()).execute();
      return rows.map(({ id }) => id);
    },

    /** Lists a page of all accounts, ordered by id, for the operator's commands. The rows of team workspaces are not accounts. */
    async list(afterId: string, limit: number) {
      return db
        .selectFrom('accounts')
        .select([
          'id',
          'email',
          'name',
          'created_at as createdAt',
          'email_verified_at as emailVerifiedAt',
          'home_workspace_id as homeWorkspaceId',
        ])
        .where('id', '>', afterId)
        .where('id', '<', teamPrefix)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    count: (): Promise<number> => countRows(db.selectFrom('accounts').where('id', '<', teamPrefix).where('deleted_at', 'is', null)),
  };
}

/** Returns the columns of a new account. */
export function toNewColumns({ id, email, name, passwordHash, keyDigest, keyCipher }: NewAccount) {
  const now = new Date().toISOString();
  const key = { key_digest: keyDigest, key_cipher: keyCipher, key_created_at: now };
  return { id, email, name, password_hash: passwordHash, ...key, created_at: now, updated_at: now };
}

/**
 * Sets a new password, ends all sessions of the account, and cancels an unconfirmed change to its address. Reset links are deleted only if
 * the address is verified: otherwise, the person who changes the password may be a stranger who registered the address, and must not be
 * able to invalidate the owner's links. The next use of an invitation link counts as the first proof again, because the account may have
 * changed hands. Returns false if nothing was changed.
 */
export async function setPassword(
  transaction: Transaction<Database>,
  { id, passwordHash, currentHash }: { id: string; passwordHash: string; currentHash?: string | undefined },
): Promise<boolean> {
  let update = transaction
    .updateTable('accounts')
    .set({ password_hash: passwordHash, invited_at: null, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  if (currentHash !== undefined) update = update.where('password_hash', '=', currentHash);
  // The update locks the row, as a sign-in does. A sign-in with the old password has therefore either inserted its session already, or
  // fails.
  const changed = await update.returning('email_verified_at').executeTakeFirst();
  if (!changed) return false;
  await transaction.deleteFrom('sessions').where('account_id', '=', id).execute();
  // A change to the address may have been requested by someone who knew the old password.
  await deleteLinks(transaction, id, changed.email_verified_at === null ? ['change-email'] : ['change-email', 'reset-password']);
  return true;
}
