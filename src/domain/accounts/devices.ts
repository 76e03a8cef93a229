import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import { newId } from '../ids.ts';
import type { WithKeyring } from '../secrets/keyring.ts';

interface DeviceOwner {
  accountId: string;
  passwordHash: string;
}

/**
 * Returns a token by which a browser that has signed in is recognized later. It grants nothing but a count of failed sign-ins of its
 * own. A browser keeps the device id that it has.
 */
export async function rememberDevice(
  ctx: WithStore & WithKeyring,
  { accountId, token }: { accountId: string; token: string | undefined },
): Promise<string> {
  const account = await ctx.store.accounts.findById(accountId);
  if (!account) throw new AppError('unauthorized');
  const owner = { accountId, passwordHash: account.passwordHash };
  return ctx.keyring.seal(findDevice(ctx, owner, token) ?? newId('d'), ownerOf(owner));
}

/** The device id of a token, if it was issued for this account since its last change of password. */
export function findDevice(ctx: WithKeyring, owner: DeviceOwner, token: string | undefined): string | undefined {
  return token === undefined ? undefined : ctx.keyring.open(token, ownerOf(owner));
}

/** Bound to the password, so that a new one ends what someone who knew the old one may have collected. */
function ownerOf({ accountId, passwordHash }: DeviceOwner): string {
  return `device:${accountId}:${hash('sha256', passwordHash, 'base64url')}`;
}
