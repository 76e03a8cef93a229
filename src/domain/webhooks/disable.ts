import type { WithStore } from '../../store/store.ts';
import type { Endpoint } from '../../store/webhooks/deliveries.ts';
import { notificationLimits, webhookMailLimits } from '../accounts/attempt-limits.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { countMail } from '../accounts/throttles.ts';
import type { WithMail } from '../mail/mail.ts';
import type { Mail } from '../mail/mail-queue.ts';
import { ignoreDeletedWorkspace } from '../workspaces/change-workspace.ts';
import { getOwner } from '../workspaces/owners.ts';

const memberPage = 100;

/** Disables a webhook whose deliveries fail, and notifies the owner and the admins. */
export async function disableWebhook(ctx: WithMail & WithAudit, { accountId, webhookId }: Endpoint, reason: string): Promise<void> {
  const url = await ctx.store
    .changeWorkspace(accountId, async ({ webhooks }) => {
      const webhook = await webhooks.find(accountId, webhookId);
      if (!webhook || webhook.disabled) return undefined;
      const at = new Date().toISOString();
      await webhooks.update(accountId, webhookId, { disabled: { at, reason }, updatedAt: at });
      return webhook.url;
    })
    .catch(ignoreDeletedWorkspace);
  if (url === undefined) return;
  ctx.audit({ type: 'webhook_disabled', accountId, detail: { webhook: { id: webhookId, host: new URL(url).host } } });
  const task = { kind: 'webhook disabled', accountId, cause: accountId } as const;
  ctx.mails.send({ ...task, prepare: () => prepareMails(ctx, accountId, { webhookId, url, reason }) });
}

/** Prepares emails to the owner and the admins, at most once a day for each webhook, and only to verified addresses. */
async function prepareMails(
  ctx: WithStore & WithMail,
  accountId: string,
  webhook: { webhookId: string; url: string; reason: string },
): Promise<Mail[]> {
  const refused = { kind: 'webhook disabled', accountId } as const;
  const settings = await ctx.store.workspaceSettings.find(accountId);
  if (!settings) return [];
  const recent = { ...refused, reason: 'a mail about this webhook was sent in the last 24 hours' };
  if (!(await countMail(ctx, webhookMailLimits(accountId, webhook.webhookId), recent))) return [];
  const { member: owner, emailVerified } = await getOwner(ctx, accountId);
  const emails = [...(emailVerified ? [owner.email] : []), ...(await listAdminEmails(ctx, accountId))];
  if (emails.length === 0) ctx.mails.refuse(refused, 'neither the owner nor an admin has a verified email address');
  const mails: Mail[] = [];
  for (const email of emails) {
    const many = { ...refused, reason: 'the address has received too many notifications in the last hour' };
    if (!(await countMail(ctx, notificationLimits(email, accountId), many))) continue;
    mails.push({ send: () => ctx.mailer.sendWebhookDisabled({ ...webhook, accountId, email, workspaceName: settings.name }) });
  }
  return mails;
}

async function listAdminEmails({ store }: WithStore, accountId: string): Promise<string[]> {
  const emails: string[] = [];
  for (let afterId = ''; ; ) {
    const members = await store.memberships.list(accountId, { afterId, limit: memberPage });
    const people = members.filter(({ role, homeWorkspaceId, emailVerifiedAt }) => role === 'admin' && !homeWorkspaceId && emailVerifiedAt);
    emails.push(...people.map(({ email }) => email));
    const last = members.at(-1);
    if (!last || members.length < memberPage) return emails;
    afterId = last.userId;
  }
}
