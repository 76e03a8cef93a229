import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type NotificationChannel,
  type NotificationKind,
  notificationKindNames,
  notificationKinds,
} from '../../contract/notification-kinds.ts';
import { maxNotifications } from '../../contract/notifications.ts';
import type { AppliedProposal, Verdict } from '../../contract/proposals.ts';
import type { RecordedRelease } from '../../contract/releases.ts';
import { includesRole, type Role, roles } from '../../contract/roles.ts';
import type { Database } from '../tables.ts';
import { type Credential, changeWithCredential } from './credentials.ts';

/** A notification, without its recipients. */
export interface NotificationRecord {
  id: string;
  kind: NotificationKind;
  at: string;
  workspace: { id: string; name: string } | null;
  by: { userId: string; name: string } | null;
  /** The invitation, webhook, release, proposal or commented content that the notification is about. */
  subjectId: string | null;
  detail: NotificationDetail;
}

export interface NotificationDetail {
  role?: Role;
  previousRole?: Role;
  /** The token of an invitation, encrypted. */
  link?: string;
  /** The host of a webhook, and the reason why it was disabled. */
  host?: string;
  reason?: string;
  /** The daily budget. */
  budget?: string;
  /** The address of a sign-in. */
  address?: string;
  /** A release that the service stopped, and why. */
  stopped?: StoppedRelease;
  proposal?: NoticedProposal;
  comment?: NoticedComment;
  /** Whether the workspace was deleted. */
  isDeleted?: boolean;
}

/** A release that the service rolled back or paused, with the numbers that led to it. */
export interface StoppedRelease extends Required<Pick<RecordedRelease, 'control' | 'cause' | 'guards' | 'units'>> {
  prompt: string;
  label: string;
  state: 'rolled_back' | 'paused';
}

/** A proposal that someone reviewed or applied, or that the service applied or could not apply at its scheduled time. */
export interface NoticedProposal {
  changes: { prompt: string; label: string }[];
  verdict?: Verdict;
  applied?: AppliedProposal;
  problem?: string;
}

/** A comment, and the version or candidate that it is about. */
export interface NoticedComment {
  isReply: boolean;
  prompt?: string;
  version?: number | null;
  candidate?: string | null;
}

/** The kinds that a person has turned off, by channel. */
export type SilencedKinds = Record<NotificationChannel, NotificationKind[]>;

/**
 * Reads and writes the notifications of people. Because roles and memberships change, notifications that a person may no longer see are
 * left out when they are read.
 */
export function createNotificationStore(db: Kysely<Database>) {
  const selectVisible = (accountId: string, silenced: NotificationKind[]) => {
    const visible = db.selectFrom('notifications').where('account_id', '=', accountId).where(isVisible());
    return silenced.length > 0 ? visible.where('kind', 'not in', silenced) : visible;
  };

  return {
    /**
     * Adds a notification for each recipient who is a person. If a recipient has too many notifications, deletes the oldest notifications.
     */
    async add(record: NotificationRecord, recipients: string[]): Promise<void> {
      if (recipients.length === 0) return;
      const { id, kind, at, workspace, by, subjectId, detail } = record;
      await sql`insert into notifications
        (account_id, id, kind, at, workspace_id, workspace_name, by_account_id, by_name, subject_id, detail)
        select accounts.id, ${sql.join([id, kind, at].map(asText))}, ${asText(workspace?.id)}, ${asText(workspace?.name)},
          ${asText(by?.userId)}, ${asText(by?.name)}, ${asText(subjectId)}, ${asText(JSON.stringify(detail))}
        from accounts where accounts.id in (${sql.join(recipients)}) and deleted_at is null and home_workspace_id is null`.execute(db);
      await sql`delete from notifications where account_id in (${sql.join(recipients)}) and id <= (
        select kept.id from notifications as kept where kept.account_id = notifications.account_id
        order by kept.id desc limit 1 offset ${maxNotifications})`.execute(db);
    },

    /** Lists a page of a person's notifications, newest first. */
    async list(
      accountId: string,
      { beforeId, limit, silenced }: { beforeId: string | undefined; limit: number; silenced: NotificationKind[] },
    ) {
      let query = selectVisible(accountId, silenced).selectAll().orderBy('id', 'desc').limit(limit);
      if (beforeId !== undefined) query = query.where('id', '<', beforeId);
      return (await query.execute()).map((row) => ({ ...toRecord(row), readAt: row.read_at }));
    },

    /** Finds those recipients who have an unread notification of this kind about the same subject. */
    async findInformed(
      recipients: string[],
      { kind, workspaceId, subjectId, since }: { kind: NotificationKind; workspaceId: string; subjectId: string; since: string },
    ): Promise<Set<string>> {
      if (recipients.length === 0) return new Set();
      const rows = await db
        .selectFrom('notifications')
        .select('account_id')
        .where('account_id', 'in', recipients)
        .where('kind', '=', kind)
        .where('workspace_id', '=', workspaceId)
        .where('subject_id', '=', subjectId)
        .where('read_at', 'is', null)
        .where('at', '>', since)
        .execute();
      return new Set(rows.map(({ account_id }) => account_id));
    },

    async countUnread(accountId: string, silenced: NotificationKind[]): Promise<number> {
      const { count } = await selectVisible(accountId, silenced)
        .where('read_at', 'is', null)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async markRead(accountId: string, { ids = [], upTo = '' }: { ids?: string[] | undefined; upTo?: string | undefined }): Promise<void> {
      await db
        .updateTable('notifications')
        .set({ read_at: new Date().toISOString() })
        .where('account_id', '=', accountId)
        .where('read_at', 'is', null)
        .where((eb) => eb.or([eb('id', '<=', upTo), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])]))
        .execute();
    },

    /** Lists the recipients who may still see a notification and have a verified address, with the kinds that they have turned off. */
    async listForMail(id: string, recipients: string[]) {
      if (recipients.length === 0) return [];
      const rows = await db
        .selectFrom('notifications')
        .innerJoin('accounts', 'accounts.id', 'notifications.account_id')
        .select(['accounts.id as accountId', 'accounts.email', 'accounts.notification_settings'])
        .where('notifications.account_id', 'in', recipients)
        .where('notifications.id', '=', id)
        .where('accounts.email_verified_at', 'is not', null)
        .where(isVisible())
        .execute();
      return rows.map(({ notification_settings, ...row }) => ({ ...row, silenced: parseSilenced(notification_settings) }));
    },

    /** Finds the kinds of notifications that a person has turned off. By default, none are. */
    async findSilenced(accountId: string): Promise<SilencedKinds> {
      const row = await db.selectFrom('accounts').select('notification_settings').where('id', '=', accountId).executeTakeFirst();
      return parseSilenced(row?.notification_settings ?? null);
    },

    /** Finds the person with this verified address, and the kinds of notifications that the person has turned off. */
    async findByVerifiedEmail(email: string) {
      const row = await db
        .selectFrom('accounts')
        .select(['id', 'notification_settings'])
        .where('email', '=', email)
        .where('email_verified_at', 'is not', null)
        .where('home_workspace_id', 'is', null)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row && { accountId: row.id, silenced: parseSilenced(row.notification_settings) };
    },

    /**
     * Changes which kinds of notifications a person has turned off, and returns the new settings. Concurrent changes run one after the
     * other.
     */
    async changeSilenced(credential: Credential, change: (silenced: SilencedKinds) => SilencedKinds): Promise<SilencedKinds> {
      const { accountId } = credential;
      return changeWithCredential(db, credential, async (transaction) => {
        const row = await transaction.selectFrom('accounts').select('notification_settings').where('id', '=', accountId).executeTakeFirst();
        const silenced = change(parseSilenced(row?.notification_settings ?? null));
        const settings = JSON.stringify(silenced);
        await transaction.updateTable('accounts').set({ notification_settings: settings }).where('id', '=', accountId).execute();
        return silenced;
      });
    },
  };
}

/**
 * Returns the condition that a person may currently see a notification: it concerns only this person, or the person still has the role in
 * the workspace that the kind of notification requires. An invitation must also still be open, and its address must still be the person's.
 */
function isVisible() {
  const conditions = roles.flatMap((required) => {
    const kinds = notificationKindNames.filter((kind) => notificationKinds[kind].role === required);
    if (kinds.length === 0) return [];
    const sufficient = roles.filter((role) => includesRole(role, required));
    return sql<boolean>`(notifications.kind in (${sql.join(kinds)}) and (notifications.workspace_id = notifications.account_id
      or exists (select 1 from memberships where memberships.workspace_id = notifications.workspace_id
        and memberships.account_id = notifications.account_id and memberships.role in (${sql.join(sufficient)}))))`;
  });
  const personal = notificationKindNames.filter((kind) => notificationKinds[kind].role === null && kind !== 'invited');
  return sql<boolean>`(notifications.kind in (${sql.join(personal)}) or (notifications.kind = 'invited'
    and exists (select 1 from invitations join accounts as invited on invited.email = invitations.email
      where invitations.workspace_id = notifications.workspace_id and invitations.id = notifications.subject_id
      and invitations.expires_at > ${new Date().toISOString()}
      and invited.id = notifications.account_id and invited.email_verified_at is not null))
    or ${sql.join(conditions, sql` or `)})`;
}

/** PostgreSQL cannot infer the type of a parameter in a list of selected values. */
function asText(value: string | null | undefined) {
  return sql`cast(${value ?? null} as text)`;
}

function toRecord(row: Selectable<Database['notifications']>): NotificationRecord {
  const { workspace_id: workspaceId, by_account_id: userId } = row;
  return {
    id: row.id,
    kind: row.kind,
    at: row.at,
    workspace: workspaceId === null ? null : { id: workspaceId, name: row.workspace_name ?? '' },
    by: userId === null ? null : { userId, name: row.by_name ?? '' },
    subjectId: row.subject_id,
    // The detail was serialized from a value of this type.
    detail: JSON.parse(row.detail ?? '{}') as NotificationDetail,
  };
}

function parseSilenced(json: string | null): SilencedKinds {
  // The settings were serialized from a value of this type.
  return json === null ? { page: [], email: [] } : (JSON.parse(json) as SilencedKinds);
}
