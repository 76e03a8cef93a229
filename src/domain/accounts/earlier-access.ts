import type { EndedAccess } from '../../store/accounts/earlier-access.ts';
import type { Client } from '../actor.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification } from '../notifications/notify.ts';
import { removeSoon, type WithRemoval } from './remove-accounts.ts';

/**
 * The first proof of an account's email address revokes earlier access. This function records what was revoked, both in the activity of the
 * account and in the activity of the former members of its workspace. Recording also ends the event streams and runs of these people. The
 * former members are notified.
 */
export async function recordEndedAccess(
  ctx: WithRemoval & WithMail,
  { id: accountId, name }: { id: string; name: string },
  { ended, client }: { ended: EndedAccess; client: Client },
): Promise<void> {
  const { hadTwoFactor, passkeys, members, invitations, webhooks } = ended;
  const by = { userId: accountId, name };
  ctx.audit({ type: 'key_reset', accountId, client, by });
  ctx.audit({ type: 'sessions_ended', accountId, client });
  if (hadTwoFactor) ctx.audit({ type: 'two_factor_disabled', accountId, client });
  for (const name of passkeys) ctx.audit({ type: 'passkey_removed', accountId, client, detail: { name } });
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
  const people = members.filter(({ isService }) => !isService).map(({ userId }) => userId);
  const removal = { kind: 'removed', workspace: { id: accountId, name }, by, recipients: people } as const;
  mailNotification(ctx, await addNotification(ctx.store, removal));
}
