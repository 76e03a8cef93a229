import type { CipherPlace } from '../../store/ciphers.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithKeyring } from './keyring.ts';

const pageSize = 500;

/**
 * The owner for whom each kind of secret is encrypted. A secret that is copied to another row or column cannot be decrypted there. The key
 * of a model connection cannot be decrypted after its base URL was changed.
 */
export const secretOwners = {
  key: (accountId: string) => accountId,
  twoFactor: (accountId: string) => `two-factor:${accountId}`,
  webhook: (accountId: string, webhookId: string) => `${accountId} ${webhookId}`,
  previousWebhook: (accountId: string, webhookId: string) => `${accountId} ${webhookId}`,
  connection: (accountId: string, id: string, baseUrl: string) => `${accountId} ${id} ${baseUrl}`,
} satisfies Record<CipherPlace, unknown>;

/** Re-encrypts the secrets of a kind that are still encrypted with the previous master secret. The work can be interrupted and repeated. */
export async function resealSecrets({ store, keyring }: WithStore & WithKeyring, kind: CipherPlace) {
  const ownerOf: (...key: string[]) => string = secretOwners[kind];
  const counts = { resealed: 0, unchanged: 0 };
  let after: string[] = [];
  for (;;) {
    const page = await store.ciphers.list(kind, after, pageSize);
    for (const { key, cipher } of page) {
      after = key;
      if (keyring.isCurrent(cipher)) counts.unchanged += 1;
      else {
        const owner = ownerOf(...key);
        await store.ciphers.replace(kind, { key, cipher }, keyring.seal(keyring.get(cipher, owner), owner));
        counts.resealed += 1;
      }
    }
    if (page.length < pageSize) return counts;
  }
}
