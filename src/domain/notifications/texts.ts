import type { NotificationKind } from '../../contract/notification-kinds.ts';
import type { Verdict } from '../../contract/proposals.ts';
import type { NoticedComment, NoticedProposal, NotificationRecord } from '../../store/accounts/notifications.ts';
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

/** The facts that the text of a notification mentions. The names are safe to show in the place where the text appears. */
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
  review_requested: ({ by, workspace, detail: { proposal }, subjectId, workspaceId }) => ({
    title: `${by} asks you to review a proposal in ${workspace}: move ${listLabels(proposal)}.`,
    path: inWorkspace(`/dashboard/proposals/${subjectId}`, workspaceId),
  }),
  proposal_reviewed: ({ by, workspace, detail: { proposal }, subjectId, workspaceId }) => ({
    title: `${by} ${toVerb(proposal?.verdict)} your proposal in ${workspace} to move ${listLabels(proposal)}.`,
    path: inWorkspace(`/dashboard/proposals/${subjectId}`, workspaceId),
  }),
  proposal_applied: ({ by, workspace, detail: { proposal }, subjectId, workspaceId }) => ({
    title: proposal?.applied?.automatic
      ? `Your proposal in ${workspace} to move ${listLabels(proposal)} was applied ${proposal.applied.late ? 'late, after its scheduled time' : 'at its scheduled time'}.`
      : `${by} applied your proposal in ${workspace} to move ${listLabels(proposal)}.`,
    ...(proposal?.applied?.late && { more: ['At the scheduled time, the service was not running or the last approval was missing.'] }),
    path: inWorkspace(`/dashboard/proposals/${subjectId}`, workspaceId),
  }),
  proposal_failed: ({ workspace, detail: { proposal }, subjectId, workspaceId }) => ({
    title: `The proposal in ${workspace} to move ${listLabels(proposal)} could not be applied at its scheduled time.`,
    more: [toSentence(proposal?.problem ?? ''), 'No label was moved. The proposal is still open, and a person can apply it.'],
    path: inWorkspace(`/dashboard/proposals/${subjectId}`, workspaceId),
  }),
  mentioned: (content) => ({
    title: `${content.by} mentioned you in a comment on ${describeSubject(content)} in ${content.workspace}.`,
    path: toCommentPath(content),
  }),
  comment_added: (content) => ({
    title: `${content.by} ${content.detail.comment?.isReply ? 'replied to a comment' : 'commented'} on ${describeSubject(content)} in ${content.workspace}.`,
    path: toCommentPath(content),
  }),
  new_sign_in: ({ detail }) => ({
    title: `Someone signed in to your account from a new device and network (${detail.address}).`,
    more: ['If this was not you, change your password, reset your API key and check your sessions under Settings › Security.'],
    path: '/dashboard/settings/security',
  }),
};

const maxListedLabels = 3;

function listLabels(proposal: NoticedProposal | undefined): string {
  const changes = proposal?.changes ?? [];
  const listed = changes.slice(0, maxListedLabels).map(({ prompt, label }) => `${label} of “${prompt}”`);
  const others = changes.length - listed.length;
  return `${listed.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

function toVerb(verdict: Verdict | undefined): string {
  return verdict === 'decline' ? 'declined' : 'approved';
}

function describeSubject({ detail: { comment, proposal } }: NotificationContent): string {
  const content = describeContent(comment);
  if (!proposal) return content ?? 'a version';
  return `${content === undefined ? '' : `${content} in `}the proposal to move ${listLabels(proposal)}`;
}

function describeContent({ prompt, version, candidate }: Partial<NoticedComment> = {}): string | undefined {
  if (version !== undefined && version !== null) return `version ${version} of “${prompt}”`;
  return candidate === undefined || candidate === null ? undefined : `a candidate of “${prompt}”`;
}

function toCommentPath({ detail: { comment, proposal }, subjectId, workspaceId }: NotificationContent): string {
  if (proposal) return inWorkspace(`/dashboard/proposals/${subjectId}`, workspaceId);
  const path = inWorkspace(toPromptPath(comment?.prompt ?? ''), workspaceId);
  const { version } = comment ?? {};
  return version === undefined || version === null ? path : `${path}&view=history&to=${version}`;
}

function toSentence(text: string): string {
  return /[.]$/.test(text) ? text : `${text}.`;
}

function toPromptPath(name: string): string {
  return `/dashboard/prompts/${name.split('/').map(encodeURIComponent).join('/')}`;
}
