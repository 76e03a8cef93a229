import { AppError } from '../../errors.ts';
import type { Endpoint } from '../../store/webhooks/deliveries.ts';
import type { Context } from '../context.ts';

const memberPage = 100;

/** Disables a webhook that cannot be delivered to, and tells the owner and the admins. */
export async function disableWebhook(ctx: Context, { accountId, webhookId }: Endpoint, reason: string): Promise<void> {
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
  ctx.background.run('webhook mail', () => notify(ctx, accountId, { webhookId, url, reason }));
}

async function notify(ctx: Context, accountId: string, webhook: { webhookId: string; url: string; reason: string }): Promise<void> {
  const owner = await ctx.store.accounts.findProfile(accountId);
  if (!owner) return;
  const emails = [owner.email, ...(await listAdminEmails(ctx, accountId))];
  // One after the other, and a failure for one person does not keep the others from being told.
  const errors: unknown[] = [];
  for (const email of emails) {
    const message = { ...webhook, accountId, email, workspaceName: owner.name };
    await ctx.mailer.sendWebhookDisabled(message).catch((err: unknown) => void errors.push(err));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some people could not be told that a webhook was disabled');
}

async function listAdminEmails({ store }: Context, accountId: string): Promise<string[]> {
  const emails: string[] = [];
  for (let afterId = ''; ; ) {
    const members = await store.memberships.list(accountId, { afterId, limit: memberPage });
    const people = members.filter(({ role, homeWorkspaceId }) => role === 'admin' && homeWorkspaceId === null);
    emails.push(...people.map(({ email }) => email));
    const last = members.at(-1);
    if (!last || members.length < memberPage) return emails;
    afterId = last.userId;
  }
}

function ignoreDeletedWorkspace(err: unknown): undefined {
  if (!(err instanceof AppError) || err.code !== 'workspace_not_found') throw err;
}
