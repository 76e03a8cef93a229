import type { EndedAccess } from '../../store/accounts/earlier-access.ts';
import type { Client } from '../actor.ts';
import { removeSoon, type WithRemoval } from './remove-accounts.ts';

/**
 * Records the access that the first proof of an account's email address has revoked, in the activity of its owner and of the former members
 * of its workspace. This also ends their event streams and runs.
 */
export function recordEndedAccess(
  ctx: WithRemoval,
  { id: accountId, name }: { id: string; name: string },
  { ended, client }: { ended: EndedAccess; client: Client },
): void {
  const { hadTwoFactor, members, invitations, webhooks } = ended;
  const by = { userId: accountId, name };
  for (const type of ['key_reset', 'sessions_ended'] as const) ctx.audit({ type, accountId, client });
  if (hadTwoFactor) ctx.audit({ type: 'two_factor_disabled', accountId, client });
  for (const { isService, ...member } of members) {
    ctx.audit({ type: 'member_removed', accountId, client, by, detail: member });
    const detail = { workspace: { id: accountId, name }, role: member.role };
    if (!isService) ctx.audit({ type: 'removed_from_workspace', accountId: member.userId, by, detail });
  }
  for (const detail of invitations) ctx.audit({ type: 'invitation_removed', accountId, client, by, detail });
  for (const { id, url } of webhooks) {
    ctx.audit({ type: 'webhook_disabled', accountId, client, by, detail: { webhook: { id, host: new URL(url).host } } });
  }
  const services = members.filter(({ isService }) => isService).map(({ userId }) => userId);
  removeSoon(ctx, services);
}
