import { type Kysely, sql } from 'kysely';
import { createOutbox, type EventRecord } from '../events/events.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import type { AccountRecord } from './accounts.ts';
import { type Credential, holdCredential } from './credentials.ts';
import { nextRevision } from './revision.ts';

/**
 * The one indexed read of an authenticated request. Synchronous if the account is in memory. If `workspaceId` names a workspace that
 * the account is a member of, the account acts there, and otherwise in its own.
 */
export type KeyLookup = (key: string, workspaceId?: string) => AccountRecord | undefined | Promise<AccountRecord | undefined>;

/** The API keys, stored in the account rows: as a digest for lookups, and encrypted so that the owner can see the key again. */
export function createKeyStore(db: Kysely<Database>, findAccountByKey: KeyLookup) {
  return {
    findAccount: findAccountByKey,

    /**
     * Replaces the key only if the presented one is still current, so that only one of two concurrent resets succeeds. The event is part
     * of the workspace's events.
     */
    async replace(
      credential: Credential,
      presentedDigest: string,
      next: { keyDigest: string; keyCipher: string },
      event: Omit<EventRecord, 'revision'>,
    ): Promise<boolean> {
      const { accountId: id } = credential;
      return runTransaction(db, async (transaction) => {
        // If the credential is a key, the update below checks it.
        if (credential.via === 'session') await holdCredential(transaction, credential);
        const now = new Date().toISOString();
        const changed = await transaction
          .updateTable('accounts')
          .set((eb) => ({
            key_digest: next.keyDigest,
            key_cipher: next.keyCipher,
            key_created_at: now,
            key_serial: sql<number>`key_serial + 1`,
            updated_at: now,
            ...nextRevision(eb),
          }))
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
