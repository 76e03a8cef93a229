import type { Endpoint } from '../../store/webhooks/deliveries.ts';
import { webhookMailLimits } from '../accounts/attempt-limits.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification } from '../notifications/notify.ts';
import { describeWorkspace, ignoreDeletedWorkspace } from '../workspaces/change-workspace.ts';

/** Disables a webhook whose deliveries fail. Notifies the owner and the admins, with at most one email per webhook and day. */
export async function disableWebhook(ctx: WithMail & WithAudit, { accountId, webhookId }: Endpoint, reason: string): Promise<void> {
  const disabled = await ctx.store
    .changeWorkspace(accountId, async (stores) => {
      const webhook = await stores.webhooks.find(accountId, webhookId);
      if (!webhook || webhook.disabled) return undefined;
      const at = new Date().toISOString();
      await stores.webhooks.update(accountId, webhookId, { disabled: { at, reason }, updatedAt: at });
      // The notification names only the host, because the rest of the URL may contain a token.
      const { host } = new URL(webhook.url);
      const notification = await addNotification(stores, {
        kind: 'webhook_disabled',
        workspace: await describeWorkspace(stores, accountId),
        subjectId: webhookId,
        detail: { host, reason },
        recipients: await stores.memberships.listManagers(accountId),
      });
      return { host, notification };
    })
    .catch(ignoreDeletedWorkspace);
  if (!disabled) return;
  ctx.audit({ type: 'webhook_disabled', accountId, detail: { webhook: { id: webhookId, host: disabled.host } } });
  const limits = webhookMailLimits(accountId, webhookId);
  mailNotification(ctx, disabled.notification, { limits, reason: 'an email about this webhook was sent in the last 24 hours' });
}
