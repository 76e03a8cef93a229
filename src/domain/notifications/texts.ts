import type { NotificationKind } from '../../contract/notification-kinds.ts';
import type { NotificationRecord } from '../../store/accounts/notifications.ts';
import { inWorkspace } from '../links.ts';
import { describeStop } from '../releases/stop-text.ts';

interface Text {
  /** One sentence that says what happened. */
  title: string;
  /** Further sentences for the email. */
  more?: string[];
  /** The dashboard page that the notification is about. */
  path: string | null;
}

/** The facts that the text of a notification mentions. Its names are safe to show in the place where the text appears. */
export interface NotificationContent extends Pick<NotificationRecord, 'detail' | 'subjectId'> {
  workspaceId: string;
  /** The name of the workspace in quotation marks, or "a workspace". */
  workspace: string;
  /** The name of the person who caused the notification, or "Someone". */
  by: string;
  /** The token of an invitation, if it can still be opened. */
  token: string | undefined;
}

/** The text of each kind of notification. */
export const notificationTexts: Record<NotificationKind, (content: NotificationContent) => Text> = {
  invited: ({ by, workspace, detail, token }) => ({
    title: `${by} invited you to ${workspace} with the role ${detail.role}.`,
    path: token === undefined ? null : `/invitations/${token}`,
  }),
  role_changed: ({ by, workspace, detail, workspaceId }) => ({
    title: `${by} changed your role in ${workspace} from ${detail.previousRole} to ${detail.role}.`,
    path: inWorkspace('/dashboard', workspaceId),
  }),
  removed: ({ by, workspace, detail }) => ({
    title: detail.isDeleted ? `${by} deleted ${workspace}.` : `${by} removed you from ${workspace}.`,
    more: ['You no longer have access to its prompts.'],
    path: null,
  }),
  workspace_transferred: ({ by, workspace, workspaceId }) => ({
    title: `${by} made you the owner of ${workspace}.`,
    path: inWorkspace('/dashboard/settings/workspace', workspaceId),
  }),
  webhook_disabled: ({ workspace, detail, subjectId, workspaceId }) => ({
    title: `A webhook in ${workspace} was disabled. It sent events to ${detail.host}.`,
    more: [
      toSentence(detail.reason ?? ''),
      'New events are not sent. Once the receiver works again, enable the webhook under Settings › Webhooks and replay the missing deliveries.',
    ],
    path: inWorkspace(`/dashboard/settings/webhooks/${subjectId}`, workspaceId),
  }),
  budget_used_up: ({ workspace, detail, workspaceId }) => ({
    title: `The budget of ${detail.budget} for today (UTC) is used up in ${workspace}.`,
    more: ['Runs and checks are rejected until midnight UTC. You can raise the budget under Settings › Models.'],
    path: inWorkspace('/dashboard/settings/models', workspaceId),
  }),
  release_stopped: ({ workspace, detail: { stopped }, workspaceId }) => ({
    ...(stopped ? describeStop(stopped, workspace) : { title: `A release in ${workspace} was stopped.` }),
    path: stopped ? `${inWorkspace(toPromptPath(stopped.prompt), workspaceId)}&view=releases` : inWorkspace('/dashboard', workspaceId),
  }),
  new_sign_in: ({ detail }) => ({
    title: `Somebody signed in to your account from a new device and network (${detail.address}).`,
    more: ['If this was not you, change your password, reset your API key and check your sessions under Settings › Security.'],
    path: '/dashboard/settings/security',
  }),
};

function toSentence(text: string): string {
  return /[.]$/.test(text) ? text : `${text}.`;
}

function toPromptPath(name: string): string {
  return `/dashboard/prompts/${name.split('/').map(encodeURIComponent).join('/')}`;
}
