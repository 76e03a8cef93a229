import type { NotificationKind } from '../../contract/notification-kinds.ts';
import type { NotificationDetail, NotificationRecord } from '../../store/accounts/notifications.ts';
import type { Store, WithStore } from '../../store/store.ts';
import { notificationLimits } from '../accounts/attempt-limits.ts';
import { countMail, type Limit } from '../accounts/throttles.ts';
import { newId } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import type { Mail } from '../mail/mail-queue.ts';
import { toPlainName } from '../mail/plain-name.ts';
import { notificationTexts } from './texts.ts';

interface NewNotification {
  kind: NotificationKind;
  workspace?: { id: string; name: string };
  /** The person who caused the notification. This person does not receive it. */
  by?: { userId: string; name: string } | undefined;
  subjectId?: string;
  detail?: NotificationDetail;
  recipients: readonly string[];
}

/** A notification that was stored in a transaction, and that has to be mailed after the commit. */
export interface StoredNotification {
  record: NotificationRecord;
  recipients: string[];
}

/** Stores a notification for each recipient. Call it inside the transaction of the change, and call `mailNotification` after the commit. */
export async function addNotification(
  { notifications }: Pick<Store, 'notifications'>,
  { kind, workspace, by, subjectId, detail = {}, recipients }: NewNotification,
): Promise<StoredNotification> {
  const record: NotificationRecord = {
    id: newId('n'),
    kind,
    at: new Date().toISOString(),
    workspace: workspace ?? null,
    by: by ? { userId: by.userId, name: by.name } : null,
    subjectId: subjectId ?? null,
    detail,
  };
  const others = recipients.filter((id) => id !== by?.userId);
  await notifications.add(record, others);
  return { record, recipients: others };
}

/**
 * Emails a notification to those recipients who may still see it, have a verified address and have not turned off this kind of
 * notification. `limit` restricts the number of emails about the same subject.
 */
export function mailNotification(
  ctx: WithStore & WithMail,
  { record, recipients }: StoredNotification,
  limit?: { limits: Limit[]; reason: string },
): void {
  const [first] = recipients;
  if (first === undefined) return;
  const cause = record.workspace?.id ?? first;
  ctx.mails.send({
    kind: 'notification',
    accountId: cause,
    cause,
    prepare: () => prepareMails(ctx, { record, recipients }, { cause, limit }),
  });
}

async function prepareMails(
  ctx: WithStore & WithMail,
  { record, recipients }: StoredNotification,
  { cause, limit }: { cause: string; limit: { limits: Limit[]; reason: string } | undefined },
): Promise<Mail[]> {
  const refused = { kind: 'notification', accountId: cause } as const;
  const { kind, workspace, by, detail, subjectId } = record;
  const people = await ctx.store.notifications.listForMail(record.id, recipients);
  if (people.length === 0) return [];
  if (limit && !(await countMail(ctx, limit.limits, { ...refused, reason: limit.reason }))) return [];
  const name = workspace && toPlainName(workspace.name);
  const text = notificationTexts[kind]({
    detail,
    subjectId,
    workspaceId: workspace?.id ?? '',
    workspace: name ? `the workspace “${name}”` : 'your workspace',
    by: (by && toPlainName(by.name)) ?? 'Someone',
    token: undefined,
  });
  const mails: Mail[] = [];
  for (const { accountId, email, silenced } of people) {
    if (silenced.email.includes(kind)) continue;
    const reason = 'the address has received too many notifications in the last hour';
    if (!(await countMail(ctx, notificationLimits(email, cause), { ...refused, reason }))) continue;
    mails.push({ accountId: cause, send: () => ctx.mailer.sendNotification({ accountId, email, ...text }) });
  }
  return mails;
}

/** Binds the encrypted token of an invitation to that invitation, so that it cannot be decrypted for another invitation. */
export function invitationTokenOwner(invitationId: string): string {
  return `invitation-notification:${invitationId}`;
}
