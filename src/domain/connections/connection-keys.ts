import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithKeyring } from '../secrets/keyring.ts';

const resealPage = 500;
const hintLength = 4;

/** A key is encrypted for one connection and its base address: moved to another address, it cannot be decrypted. */
interface KeyOwner {
  accountId: string;
  id: string;
  baseUrl: string;
}

export function sealConnectionKey({ keyring }: WithKeyring, owner: KeyOwner, key: string): ConnectionRecord['key'] {
  // Of a short key, the hint would be most of it.
  const hint = key.length >= 4 * hintLength ? key.slice(-hintLength) : '';
  return { cipher: keyring.seal(key, ownerOf(owner)), hint };
}

/** The key of a connection, or undefined if it has none. */
export function openConnectionKey(ctx: WithKeyring, accountId: string, { id, baseUrl, key }: ConnectionRecord): string | undefined {
  return key ? open(ctx, { accountId, id, baseUrl }, key.cipher) : undefined;
}

/** Re-encrypts every key that is still encrypted with the previous master secret. Safe to interrupt and repeat. */
export async function resealConnectionKeys(ctx: WithStore & WithKeyring): Promise<{ resealed: number; unchanged: number }> {
  const counts = { resealed: 0, unchanged: 0 };
  let after = { accountId: '', id: '' };
  for (;;) {
    const page = await ctx.store.connections.listKeyCiphers(after, resealPage);
    for (const { cipher, ...owner } of page) {
      if (cipher === null) continue;
      if (ctx.keyring.isCurrent(cipher)) {
        counts.unchanged += 1;
        continue;
      }
      const next = ctx.keyring.seal(open(ctx, owner, cipher), ownerOf(owner));
      await ctx.store.connections.replaceKeyCipher({ ...owner, current: cipher }, next);
      counts.resealed += 1;
    }
    const last = page.at(-1);
    if (!last) return counts;
    after = last;
  }
}

function open({ keyring }: WithKeyring, owner: KeyOwner, cipher: string): string {
  const key = keyring.open(cipher, ownerOf(owner));
  if (key === undefined) throw new Error(`The key of the model connection ${owner.id} cannot be decrypted with the current secret`);
  return key;
}

function ownerOf({ accountId, id, baseUrl }: KeyOwner): string {
  return `${accountId} ${id} ${baseUrl}`;
}
