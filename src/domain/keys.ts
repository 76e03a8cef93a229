import type { AccountCredentials } from '../store/accounts.ts';
import { digestKey } from '../store/key-digest.ts';
import type { TokenInfo } from './accounts.ts';
import type { Context } from './context.ts';
import { newKey } from './secrets.ts';

/** Opens the stored key, to show it to its owner again. */
export function showKey(ctx: Context, account: AccountCredentials): TokenInfo {
  const token = ctx.keyring.open(account.keyCipher, account.id);
  if (token === undefined) throw new Error(`The key of ${account.id} cannot be opened with the secret at hand`);
  return { token, userId: account.id, email: account.email, name: account.name };
}

/** Replaces the key. Of several resets of one key exactly one gets the new key, the others undefined: it was gone already. */
export async function resetKey(
  ctx: Context,
  reset: { accountId: string; currentDigest: string; address: string },
): Promise<string | undefined> {
  const { accountId, currentDigest, address } = reset;
  const token = newKey();
  const next = { keyDigest: digestKey(token), keyCipher: ctx.keyring.seal(token, accountId) };
  if (!(await ctx.store.accounts.replaceKey(accountId, currentDigest, next))) return undefined;
  ctx.audit({ type: 'key_reset', accountId, address });
  return token;
}

/** Seals every key that the previous secret sealed with the current one. Safe to stop and repeat. */
export async function resealKeys(ctx: Context): Promise<{ resealed: number; unchanged: number }> {
  const counts = { resealed: 0, unchanged: 0 };
  let afterId = '';
  for (;;) {
    const page = await ctx.store.accounts.listKeyCiphers(afterId, 500);
    for (const { id, keyDigest, keyCipher } of page) {
      if (ctx.keyring.isCurrent(keyCipher)) {
        counts.unchanged += 1;
        continue;
      }
      const token = ctx.keyring.open(keyCipher, id);
      if (token === undefined) throw new Error(`The key of ${id} can be opened neither with SECRET_KEY nor with SECRET_KEY_PREVIOUS`);
      await ctx.store.accounts.replaceKeyCipher(id, keyDigest, ctx.keyring.seal(token, id));
      counts.resealed += 1;
    }
    const last = page.at(-1);
    if (!last) return counts;
    afterId = last.id;
  }
}
