import { useQuery } from '@tanstack/react-query';
import { formatAgo, formatDateTime, formatUserAgent } from '../lib/format.ts';
import type { AccountEvent } from '../lib/types.ts';
import { Section } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { activityQuery } from './account.ts';

/** Recent account events, so that users notice what they did not do themselves. */
export function ActivityList() {
  const activity = useQuery(activityQuery);
  return (
    <Section title="Recent activity" description="If you do not recognize something, change your password and reset your API key.">
      {activity.isPending && <Loading rows={4} />}
      {activity.isError && <Problem error={activity.error} onRetry={() => activity.refetch()} />}
      <ul className="divide-y divide-line">
        {activity.data?.map(({ id, type, at, address, userAgent }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 first:pt-0 last:pb-0">
            <span className="font-medium">{names[type]}</span>
            <span className="text-ink-3 text-xs">
              {address}
              {userAgent && ` · ${formatUserAgent(userAgent)}`} · <time title={formatDateTime(at)}>{formatAgo(at)}</time>
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
  confirmation_failed: 'Wrong password or code for a change',
  attempts_throttled: 'Too many wrong passwords or codes, attempts slowed down',
  key_reset: 'API key reset',
  password_changed: 'Password changed',
  password_reset_requested: 'Password reset link requested',
  password_reset: 'Password reset with a link',
  two_factor_started: 'Two-factor setup started',
  two_factor_enabled: 'Two-factor authentication turned on',
  two_factor_disabled: 'Two-factor authentication turned off',
  recovery_code_used: 'Recovery code used',
  recovery_codes_replaced: 'Recovery codes replaced',
};
