import { useQuery } from '@tanstack/react-query';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { AccountEvent } from '../lib/types.ts';
import { Section } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { activityQuery } from './account.ts';
import { formatUserAgent } from './user-agents.ts';
import { describeChange } from './workspace-changes.ts';

/** Lists recent account events, so that users notice actions that were not their own. */
export function ActivityList() {
  const activity = useQuery(activityQuery);
  return (
    <Section title="Recent activity" description="If you do not recognize something, change your password and reset your API key.">
      {activity.isPending && <Loading rows={4} />}
      {activity.isError && <Problem error={activity.error} onRetry={() => activity.refetch()} />}
      <ul className="divide-y divide-line">
        {activity.data?.map(({ id, type, at, address, userAgent, by, detail }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 first:pt-0 last:pb-0">
            <span>
              <span className="font-medium">{type === 'workspace_changed' ? describeChange(detail) : names[type]}</span>
              <span className="text-ink-2">{type !== 'workspace_changed' && describeSubject(detail)}</span>
            </span>
            <span className="text-ink-3 text-xs">
              {[by?.name, address, userAgent && formatUserAgent(userAgent)].filter(Boolean).map((part) => `${part} · `)}
              <time title={formatDateTime(at)}>{formatAgo(at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const names: Record<AccountEvent['type'], string> = {
  account_created: 'Account created',
  sign_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_out: 'Signed out',
  sessions_ended: 'Signed out elsewhere',
  confirmation_failed: 'Wrong password or code when confirming a change',
  attempts_throttled: 'Attempts slowed down after too many wrong passwords or codes',
  key_reset: 'API key reset',
  password_changed: 'Password changed',
  password_reset_requested: 'Password reset link requested',
  password_reset: 'Password reset with a link',
  verification_requested: 'Verification link requested',
  email_verified: 'Email address verified',
  email_change_requested: 'Change of email address requested',
  email_change_canceled: 'Change of email address canceled',
  email_changed: 'Email address changed',
  two_factor_started: 'Two-factor setup started',
  two_factor_enabled: 'Two-factor authentication turned on',
  two_factor_disabled: 'Two-factor authentication turned off',
  recovery_code_used: 'Recovery code used',
  recovery_codes_replaced: 'Recovery codes replaced',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  cli_sign_in_approved: 'Command line signed in',
  identity_linked: 'Provider linked for sign-in',
  identity_unlinked: 'Provider unlinked',
  member_invited: 'Invited',
  invitation_removed: 'Invitation withdrawn',
  member_joined: 'Member joined',
  member_role_changed: 'Member role changed',
  member_removed: 'Member removed',
  member_left: 'Member left',
  service_account_created: 'Service account created',
  service_account_key_reset: 'Service account key reset',
  workspace_created: 'Workspace created',
  workspace_changed: 'Workspace settings changed',
  workspace_transferred: 'Workspace transferred',
  webhook_created: 'Webhook created',
  webhook_changed: 'Webhook changed',
  webhook_secret_rotated: 'Webhook secret rotated',
  webhook_disabled: 'Webhook disabled by the service',
  webhook_deleted: 'Webhook deleted',
  model_created: 'Model connection created',
  model_changed: 'Model connection changed',
  model_deleted: 'Model connection deleted',
  prompts_imported: 'Prompts imported',
  prompt_copied: 'Prompt copied to another workspace',
  prompt_moved: 'Prompt moved to another workspace',
  team_created: 'Team workspace created',
  team_deleted: 'Team workspace deleted',
  invitation_accepted: 'Joined another workspace',
  role_changed: 'Your role changed in another workspace',
  removed_from_workspace: 'Removed from another workspace',
  workspace_left: 'Left another workspace',
};

/** Returns the person or thing that an event is about, with the role if there is one: ": Ada (editor)". */
function describeSubject(detail: AccountEvent['detail']): string | undefined {
  if (!detail) return undefined;
  const { workspace, email, name, role, previousRole, webhook, model, prompts, prompt } = detail;
  if (prompt !== undefined) return `: ${prompt} → ${workspace?.name ?? ''}`;
  const imported = prompts && String(prompts.created + prompts.completed + (prompts.replaced ?? 0));
  const subject = workspace?.name ?? email ?? name ?? webhook?.host ?? model?.name ?? imported;
  if (subject === undefined || role === undefined) return subject && `: ${subject}`;
  return `: ${subject} (${previousRole === undefined || previousRole === role ? role : `${previousRole} → ${role}`})`;
}
