import type { AccountEvent } from './activity.ts';
import type { Role } from './roles.ts';

// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The kinds of entry in the activity of a workspace. */
export const entryKinds = ['prompts', 'labels', 'members', 'keys', 'settings', 'webhooks', 'models', 'proposals', 'comments'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** The values of the activity filter: one kind of entry, or `gates`, which selects entries of several kinds. */
export const activityKinds = [...entryKinds, 'gates'] as const;
export type ActivityKind = (typeof activityKinds)[number];

interface EntryType {
  kind: EntryKind;
  /** The lowest role that may see the entries. This role may also read the subjects of the entries directly. */
  role: Role;
}

/** The types of entries about prompts. These entries are also the entries of the prompts' histories. */
export const historyTypes = {
  created: { kind: 'prompts', role: 'viewer' },
  version_saved: { kind: 'prompts', role: 'viewer' },
  version_deleted: { kind: 'prompts', role: 'viewer' },
  label_moved: { kind: 'labels', role: 'viewer' },
  label_removed: { kind: 'labels', role: 'viewer' },
  release_started: { kind: 'prompts', role: 'viewer' },
  release_widened: { kind: 'prompts', role: 'viewer' },
  release_paused: { kind: 'prompts', role: 'viewer' },
  release_resumed: { kind: 'prompts', role: 'viewer' },
  release_rolled_back: { kind: 'prompts', role: 'viewer' },
  release_finished: { kind: 'prompts', role: 'viewer' },
  renamed: { kind: 'prompts', role: 'viewer' },
  described: { kind: 'prompts', role: 'viewer' },
  deleted: { kind: 'prompts', role: 'viewer' },
  restored: { kind: 'prompts', role: 'viewer' },
  cases_changed: { kind: 'prompts', role: 'viewer' },
  copied: { kind: 'prompts', role: 'viewer' },
  moved_in: { kind: 'prompts', role: 'viewer' },
  moved_out: { kind: 'prompts', role: 'viewer' },
} as const satisfies Record<string, EntryType>;

/**
 * The types of entries about the workspace itself. All other events of an account, such as sign-ins, concern only the account itself, and
 * no member sees them. `prompt_moved` is missing because `moved_out` contains the same information.
 */
export const workspaceTypes = {
  // Only admins see the email addresses of open invitations.
  member_invited: { kind: 'members', role: 'admin' },
  invitation_removed: { kind: 'members', role: 'admin' },
  member_joined: { kind: 'members', role: 'viewer' },
  member_role_changed: { kind: 'members', role: 'viewer' },
  member_removed: { kind: 'members', role: 'viewer' },
  member_left: { kind: 'members', role: 'viewer' },
  workspace_transferred: { kind: 'members', role: 'viewer' },
  service_account_created: { kind: 'members', role: 'viewer' },
  service_account_key_reset: { kind: 'keys', role: 'viewer' },
  key_reset: { kind: 'keys', role: 'viewer' },
  workspace_created: { kind: 'settings', role: 'viewer' },
  workspace_changed: { kind: 'settings', role: 'viewer' },
  webhook_created: { kind: 'webhooks', role: 'admin' },
  webhook_changed: { kind: 'webhooks', role: 'admin' },
  webhook_secret_rotated: { kind: 'webhooks', role: 'admin' },
  webhook_disabled: { kind: 'webhooks', role: 'admin' },
  webhook_deleted: { kind: 'webhooks', role: 'admin' },
  model_created: { kind: 'models', role: 'editor' },
  model_changed: { kind: 'models', role: 'editor' },
  model_deleted: { kind: 'models', role: 'editor' },
  prompts_imported: { kind: 'prompts', role: 'viewer' },
  // The entry names another workspace, about which members of this workspace may know nothing.
  prompt_copied: { kind: 'prompts', role: 'admin' },
} as const satisfies Partial<Record<AccountEvent['type'], EntryType>>;

/**
 * The types of entries about proposals and comments. The account's own activity leaves these entries out, because that activity is about
 * the account's security.
 */
export const discussionTypes = {
  proposal_opened: { kind: 'proposals', role: 'viewer' },
  proposal_approved: { kind: 'proposals', role: 'viewer' },
  proposal_declined: { kind: 'proposals', role: 'viewer' },
  proposal_applied: { kind: 'proposals', role: 'viewer' },
  proposal_failed: { kind: 'proposals', role: 'viewer' },
  proposal_withdrawn: { kind: 'proposals', role: 'viewer' },
  proposal_expired: { kind: 'proposals', role: 'viewer' },
  comment_added: { kind: 'comments', role: 'viewer' },
  comment_replied: { kind: 'comments', role: 'viewer' },
  comment_resolved: { kind: 'comments', role: 'viewer' },
  comment_reopened: { kind: 'comments', role: 'viewer' },
  comment_deleted: { kind: 'comments', role: 'viewer' },
} as const satisfies Record<string, EntryType>;

export type HistoryType = keyof typeof historyTypes;
// The keys of the table are exactly the types.
export const historyEntryTypes = Object.keys(historyTypes) as HistoryType[];
export type WorkspaceType = keyof typeof workspaceTypes;
export type DiscussionType = keyof typeof discussionTypes;
export type ActivityType = HistoryType | WorkspaceType | DiscussionType;

export const activityTypes: Record<ActivityType, EntryType> = { ...historyTypes, ...workspaceTypes, ...discussionTypes };
