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
 * Returns a token that identifies this browser at later sign-ins. The token gives the browser its own count of failed sign-ins, and grants
 * nothing else. If the browser already has a device id, the id stays the same.
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

/** Returns the device id of a token, if the token was issued for this account since its last password change. */
export function findDevice(ctx: WithKeyring, owner: DeviceOwner, token: string | undefined): string | undefined {
  return token === undefined ? undefined : ctx.keyring.open(token, ownerOf(owner));
}

/** The token is bound to the password, so that a new password invalidates the tokens of anyone who knew the old password. */
function ownerOf({ accountId, passwordHash }: DeviceOwner): string {
  return `device:${accountId}:${hash('sha256', passwordHash, 'base64url')}`;
}
