// This file is separate from the schemas, so that the dashboard can import it without TypeBox.
import type { Role } from './roles.ts';

interface Kind {
  /** Completes the sentence "Notify me when…". */
  label: string;
  /** The lowest role in the workspace with which a person sees the notification. Null if the notification concerns only that person. */
  role: Role | null;
}

/** All kinds of notifications. A new kind also needs its text in `domain/notifications/texts.ts`. */
export const notificationKinds = {
  invited: { label: 'I am invited to a workspace', role: null },
  role_changed: { label: 'My role in a workspace changes', role: 'viewer' },
  removed: { label: 'I am removed from a workspace', role: null },
  workspace_transferred: { label: 'I become the owner of a workspace', role: 'viewer' },
  webhook_disabled: { label: 'A webhook of a workspace that I manage is disabled', role: 'admin' },
  budget_used_up: { label: 'A workspace that I manage has used up its daily budget', role: 'admin' },
  release_stopped: { label: 'A release that I started is rolled back or paused by the service', role: 'viewer' },
  review_requested: { label: 'Someone asks me to review a proposal', role: 'viewer' },
  proposal_reviewed: { label: 'Someone approves or declines my proposal', role: 'viewer' },
  proposal_applied: { label: 'My proposal is applied by someone else or by the service', role: 'viewer' },
  proposal_failed: { label: 'My proposal could not be applied at its scheduled time', role: 'viewer' },
  mentioned: { label: 'Someone mentions me in a comment', role: 'viewer' },
  comment_added: {
    label: 'Someone comments on my proposal, version or candidate, or in a thread that I have written in',
    role: 'viewer',
  },
  new_sign_in: { label: 'Someone signs in to my account from a new device and network', role: null },
} as const satisfies Record<string, Kind>;

export type NotificationKind = keyof typeof notificationKinds;
export const notificationKindNames = Object.keys(notificationKinds) as NotificationKind[];

/** The ways in which a person is notified. */
export const notificationChannels = ['page', 'email'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];
