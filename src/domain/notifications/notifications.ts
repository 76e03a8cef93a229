import type { PageQuery } from '../../contract/lists.ts';
import {
  type NotificationChannel,
  type NotificationKind,
  notificationChannels,
  notificationKindNames,
} from '../../contract/notification-kinds.ts';
import type {
  Notification,
  NotificationList,
  NotificationSettings,
  NotificationSettingsChange,
  ReadNotifications,
} from '../../contract/notifications.ts';
import type { NotificationRecord, SilencedKinds } from '../../store/accounts/notifications.ts';
import type { WithStore } from '../../store/store.ts';
import { assertPerson } from '../accounts/own-account.ts';
import { type Actor, credentialOf } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { toStorable } from '../ids.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { invitationTokenOwner } from './notify.ts';
import { notificationTexts } from './texts.ts';

/** Returns a page of the actor's notifications, newest first. Notifications that the actor may no longer see are left out. */
export async function listNotifications(ctx: WithStore & WithKeyring, actor: Actor, query: PageQuery): Promise<NotificationList> {
  assertPerson(actor);
  const { accountId } = actor;
  const { page: silenced } = await ctx.store.notifications.findSilenced(accountId);
  const list = (beforeId: string | undefined, limit: number) => ctx.store.notifications.list(accountId, { beforeId, limit, silenced });
  const page = await readPage('notifications', query, list, (record) => toNotification(ctx, record));
  return { ...page, unread: await ctx.store.notifications.countUnread(accountId, silenced) };
}

export async function readNotifications(ctx: WithStore, actor: Actor, { ids, upTo }: ReadNotifications): Promise<void> {
  assertPerson(actor);
  await ctx.store.notifications.markRead(actor.accountId, {
    ids: ids?.map(toStorable),
    upTo: upTo === undefined ? undefined : toStorable(upTo),
  });
}

export async function getNotificationSettings(ctx: WithStore, actor: Actor): Promise<NotificationSettings> {
  assertPerson(actor);
  return toSettings(await ctx.store.notifications.findSilenced(actor.accountId));
}

export async function changeNotificationSettings(
  ctx: WithStore,
  actor: Actor,
  change: NotificationSettingsChange,
): Promise<NotificationSettings> {
  assertPerson(actor);
  const silence = (channel: NotificationChannel, before: NotificationKind[]) =>
    notificationKindNames.filter((kind) => !(change[kind]?.[channel] ?? !before.includes(kind)));
  const changed = await ctx.store.notifications.changeSilenced(credentialOf(actor), ({ page, email }) => ({
    page: silence('page', page),
    email: silence('email', email),
  }));
  return toSettings(changed);
}

function toSettings(silenced: SilencedKinds): NotificationSettings {
  const channelsOf = (kind: NotificationKind) =>
    Object.fromEntries(notificationChannels.map((channel) => [channel, !silenced[channel].includes(kind)]));
  // Every kind has an entry for every channel.
  return Object.fromEntries(notificationKindNames.map((kind) => [kind, channelsOf(kind)])) as NotificationSettings;
}

function toNotification(ctx: WithKeyring, record: NotificationRecord & { readAt: string | null }): Notification {
  const { id, kind, at, workspace, by, subjectId, detail } = record;
  const token = detail.link && subjectId ? ctx.keyring.open(detail.link, invitationTokenOwner(subjectId)) : undefined;
  const { title, path } = notificationTexts[kind]({
    detail,
    subjectId,
    workspaceId: workspace?.id ?? '',
    workspace: workspace === null ? 'a workspace' : `“${workspace.name}”`,
    by: by?.name ?? 'Someone',
    token,
  });
  return { id, kind, at, read: record.readAt !== null, text: title, path, workspace, by };
}
