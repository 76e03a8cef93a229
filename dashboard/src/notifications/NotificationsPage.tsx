import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type NotificationChannel,
  type NotificationKind,
  notificationChannels,
  notificationKindNames,
  notificationKinds,
} from '../../../src/contract/notification-kinds.ts';
import { call, messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Account } from '../lib/types.ts';
import { accountQuery } from '../settings/account.ts';
import { Section } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { notificationSettingsQuery, refreshNotifications } from './queries.ts';

const channelNames: Record<NotificationChannel, string> = { page: 'Dashboard', email: 'Email' };

/** Lets people choose what they are notified of, and how. */
export function NotificationsPage() {
  const settings = useQuery(notificationSettingsQuery);
  const account = useQuery(accountQuery);
  const [busy, setBusy] = useState(false);
  if (settings.isPending) return <Loading rows={6} />;
  if (settings.isError) return <Problem error={settings.error} onRetry={() => settings.refetch()} />;
  const change = async (kind: NotificationKind, channel: NotificationChannel) => {
    if (busy) return;
    setBusy(true);
    try {
      const changed = await call('changeNotificationSettings', { body: { [kind]: { [channel]: !settings.data[kind][channel] } } });
      queryClient.setQueryData(notificationSettingsQuery.queryKey, changed);
      void refreshNotifications();
      toast('Notifications saved.');
    } catch (err) {
      toastFailure(messageOf(err));
    }
    setBusy(false);
  };
  return (
    <Section title="Notifications" description={account.data && <MailState account={account.data} />}>
      <table className="w-full text-left">
        <thead>
          <tr className="border-line border-b text-ink-3 text-xs">
            <th scope="col" className="py-2 font-medium">
              Notify me when
            </th>
            {notificationChannels.map((channel) => (
              <th key={channel} scope="col" className="w-20 py-2 text-center font-medium">
                {channelNames[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {notificationKindNames.map((kind) => (
            <tr key={kind}>
              <th scope="row" className="py-2.5 pr-2 font-normal">
                {notificationKinds[kind].label}
              </th>
              {notificationChannels.map((channel) => (
                <td key={channel} className="py-2.5 text-center">
                  <Checkbox
                    label={`${channelNames[channel]}: ${notificationKinds[kind].label}`}
                    checked={settings.data[kind][channel]}
                    onChange={() => change(kind, channel)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function MailState({ account }: { account: Account }) {
  if (!account.sendsEmail) return 'This server does not send email, so you see notifications only in the dashboard.';
  if (account.emailVerified) return `Emails are sent to ${account.email}.`;
  return (
    <>
      You get no emails until you{' '}
      <Link to="/dashboard/settings" className="underline">
        verify your email address
      </Link>
      .
    </>
  );
}
