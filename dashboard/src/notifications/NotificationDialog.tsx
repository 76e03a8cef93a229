import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { NotificationItem } from './NotificationItem.tsx';
import { markRead, notificationsQuery } from './queries.ts';

/** The list of notifications. */
export function NotificationDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery(notificationsQuery);
  // The list may be older than the number next to the bell.
  const { refetch } = list;
  useEffect(() => void refetch(), [refetch]);
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const unread = list.data?.pages[0]?.unread ?? 0;
  const read = (body: Parameters<typeof markRead>[0]) => markRead(body).catch((err: unknown) => toastFailure(messageOf(err)));
  const open = async (id: string, path: string) => {
    onClose();
    // The notification is marked as read before the navigation, because changing the workspace cancels requests that are in progress.
    await read({ ids: [id] });
    await navigate({ href: path });
  };
  const newest = items[0];
  return (
    <Dialog open onOpenChange={onClose} title="Notifications" description={unread === 0 ? 'Nothing unread.' : `${unread} unread.`}>
      {list.isPending && <Loading label="Loading notifications" rows={3} />}
      {list.isError && <Problem error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState icon={Bell} title="No notifications">
          Invitations, review requests, mentions and warnings, such as a disabled webhook, appear here.
        </EmptyState>
      )}
      <ul className="-mx-2 max-h-[60dvh] divide-y divide-line overflow-y-auto">
        {items.map((item) => (
          <NotificationItem key={item.id} item={item} onOpen={open} onRead={(id) => read({ ids: [id] })} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-2">
        <Link to="/dashboard/settings/notifications" onClick={onClose} className="text-ink-3 text-xs underline hover:text-ink">
          Settings
        </Link>
        <div className="flex gap-2">
          {list.hasNextPage && (
            <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              Show more
            </Button>
          )}
          {newest && unread > 0 && <Button onClick={() => read({ upTo: newest.id })}>Mark all as read</Button>}
        </div>
      </div>
    </Dialog>
  );
}
