import type { Kysely } from 'kysely';
import { createOutbox, type EventRecord } from '../events/events.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import type { AccountRecord } from './accounts.ts';
import { type Credential, holdCredential } from './credentials.ts';
import { nextKeyColumns, type StoredKey } from './key-digest.ts';
import { nextRevision } from './revision.ts';

/**
 * The key lookup, which is the only indexed read of an authenticated request. It is synchronous if the account is in memory. The account
 * acts in the workspace `workspaceId` if it is a member of that workspace, and otherwise in its own workspace.
 */
export type KeyLookup = (key: string, workspaceId?: string) => AccountRecord | undefined | Promise<AccountRecord | undefined>;

/** Stores API keys in the account rows: as a digest for lookups, and encrypted so that the owner can see the key again. */
export function createKeyStore(db: Kysely<Database>, findAccountByKey: KeyLookup) {
  return {
    findAccount: findAccountByKey,

    /**
     * Replaces the key only if the presented key is still the current one, so that only one of two concurrent resets succeeds. The event is
     * added to the workspace's events.
     */
    async replace(
      credential: Credential,
      presentedDigest: string,
      next: StoredKey,
      event: Omit<EventRecord, 'revision'>,
    ): Promise<boolean> {
      const { accountId: id } = credential;
      return runTransaction(db, async (transaction) => {
        // If the credential is a key, the update below checks it.
        if (credential.via === 'session') await holdCredential(transaction, credential);
        const changed = await transaction
          .updateTable('accounts')
          .set((eb) => ({ ...nextKeyColumns(next, new Date().toISOString()), ...nextRevision(eb) }))
          .where('id', '=', id)
          .where('key_digest', '=', presentedDigest)
          .returning(['revision', 'revision_salt as salt', 'enabled_webhooks as enabledWebhooks'])
          .executeTakeFirst();
        if (!changed) return false;
        const outbox = createOutbox(id, changed);
        outbox.add(event);
        await outbox.finish(transaction);
        return true;
      });
    },
  };
}
