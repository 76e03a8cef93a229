import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { call, messageOf } from '../lib/api.ts';
import { formatAgo, formatDateTime, formatHoursAgo } from '../lib/format.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { sessionsQuery } from './account.ts';
import { formatUserAgent } from './user-agents.ts';

export function SessionList() {
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string | 'others') => (id === 'others' ? call('endOtherSessions', {}) : call('endSession', { path: { id } })),
    onSuccess: (_response, id) => toast(id === 'others' ? 'All other sessions were signed out.' : 'Session signed out.'),
    onError: (err) => toastFailure(messageOf(err)),
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  });
  const hasOthers = sessions.data?.some(({ current }) => !current) ?? false;

  return (
    <Section
      title="Sessions"
      description="The browsers in which you are signed in."
      actions={
        <Button disabled={!hasOthers} busy={end.isPending && end.variables === 'others'} onClick={() => end.mutate('others')}>
          Sign out all others
        </Button>
      }
    >
      {sessions.isPending && <Loading rows={2} />}
      {sessions.isError && <Problem error={sessions.error} onRetry={() => sessions.refetch()} />}
      <ul className="divide-y divide-line">
        {sessions.data?.map(({ id, userAgent, address, createdAt, lastUsedAt, current }) => {
          const Icon = /Mobile|iPhone|Android/.test(userAgent ?? '') ? Smartphone : Monitor;
          return (
            <li key={id} className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
              <Icon aria-hidden className="size-5 shrink-0 text-ink-3" strokeWidth={1.5} />
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-center gap-x-2 font-medium">
                  {formatUserAgent(userAgent)}
                  {current && <Badge tone="accent">This session</Badge>}
                </div>
                <div className="text-ink-3 text-xs">
                  {address ?? 'Unknown address'} · signed in <time title={formatDateTime(createdAt)}>{formatAgo(createdAt)}</time>
                  {!current && ` · last used ${formatHoursAgo(lastUsedAt)}`}
                </div>
              </div>
              {!current && (
                <Button size="sm" busy={end.isPending && end.variables === id} onClick={() => end.mutate(id)}>
                  Sign out
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
