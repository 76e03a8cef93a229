import type { WithStore } from '../../store/store.ts';
import { notificationLimits } from '../accounts/attempt-limits.ts';
import { countMail } from '../accounts/throttles.ts';
import type { WithMail } from '../mail/mail.ts';
import type { Mail } from '../mail/mail-queue.ts';

interface Transfer {
  workspace: { id: string; name: string };
  formerId: string;
  /** The name of the new owner. The new owner gets a notification instead of this email. */
  ownerName: string;
}

/**
 * Informs the former owner of a team workspace by email, if the owner's address is verified. This email cannot be turned off, because the
 * transfer may be an attack.
 */
export function mailFormerOwner(ctx: WithStore & WithMail, transfer: Transfer): void {
  const { id } = transfer.workspace;
  if (!ctx.mailer.isConfigured) return;
  ctx.mails.send({ kind: 'workspace transferred', accountId: id, cause: id, prepare: () => prepareMails(ctx, transfer) });
}

async function prepareMails(ctx: WithStore & WithMail, { workspace, formerId, ownerName }: Transfer): Promise<Mail[]> {
  const former = await ctx.store.accounts.findProfile(formerId);
  if (!former?.emailVerified) return [];
  const { email } = former;
  const refusal = { kind: 'workspace transferred', accountId: workspace.id } as const;
  const reason = 'the address has received too many notifications in the last hour';
  if (!(await countMail(ctx, notificationLimits(email, workspace.id), { ...refusal, reason }))) return [];
  return [{ send: () => ctx.mailer.sendOwnerChanged({ email, workspaceName: workspace.name, ownerName }) }];
}
