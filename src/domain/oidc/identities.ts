import type { Identity, SignInOptions } from '../../contract/sign-in.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { assertFreshSignIn } from '../accounts/fresh-sign-in.ts';
import { allowedMethods } from '../accounts/sign-in-methods.ts';
import { type Client, credentialOf, type SessionActor } from '../actor.ts';
import type { WithProviders } from './providers.ts';

/** Lists the ways to sign in that everyone may see. */
export function getSignInOptions({ providers, passwordSignIn }: WithProviders): SignInOptions {
  return { providers: providers.list.map(({ id, name, icon = null }) => ({ id, name, icon })), password: passwordSignIn === 'on' };
}

/** Lists the account's identities, including those at providers that are no longer configured. */
export async function listIdentities(ctx: WithStore & WithProviders, { accountId }: SessionActor): Promise<Identity[]> {
  const identities = await ctx.store.identities.list(accountId);
  return identities.map(({ issuer, ...identity }) => {
    const provider = ctx.providers.findByIssuer(issuer);
    return { ...identity, issuer, provider: provider ? provider.id : null, name: provider?.name ?? issuer };
  });
}

/** Removes one of the account's identities, unless it is the only way to sign in. */
export async function unlinkIdentity(
  ctx: WithAudit & WithProviders,
  actor: SessionActor,
  { issuer, client }: { issuer: string; client: Client },
): Promise<void> {
  await assertFreshSignIn(ctx, actor);
  if (!(await ctx.store.identities.unlink(credentialOf(actor), { issuer, allowed: allowedMethods(ctx, actor) })))
    throw new AppError('not_found');
  const provider = ctx.providers.findByIssuer(issuer)?.name ?? issuer;
  ctx.audit({ type: 'identity_unlinked', accountId: actor.accountId, client, detail: { provider } });
}
