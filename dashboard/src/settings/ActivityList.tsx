import { useQuery } from '@tanstack/react-query';
import { formatAgo, formatDateTime, formatUserAgent } from '../lib/format.ts';
import { Section } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { activityQuery } from './account.ts';

/** What happened to the account lately, so that one notices what one did not do oneself. */
export function ActivityList() {
  const activity = useQuery(activityQuery);
  return (
    <Section title="Recent activity" description="If something here was not you, change your password and reset the key.">
      {activity.isPending && <Loading rows={4} />}
      {activity.isError && <Problem error={activity.error} onRetry={() => activity.refetch()} />}
      <ul className="divide-y divide-line">
        {activity.data?.map(({ id, type, at, address, userAgent }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 first:pt-0 last:pb-0">
            <span className="font-medium">{names[type] ?? type.replaceAll('_', ' ')}</span>
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

const names: Record<string, string> = {
  account_created: 'Account created',
  sign_in: 'Signed in',
  sign_in_failed: 'Failed sign-in',
  sign_out: 'Signed out',
  key_reset: 'API key reset',
  key_shown: 'API key shown',
  password_changed: 'Password changed',
  password_reset: 'Password reset by link',
  two_factor_enabled: 'Two-factor switched on',
  two_factor_disabled: 'Two-factor switched off',
  recovery_codes_replaced: 'New recovery codes made',
  recovery_code_used: 'Recovery code used',
  name_changed: 'Name changed',
};
