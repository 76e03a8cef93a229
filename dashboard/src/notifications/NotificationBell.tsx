import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { IconButton } from '../ui/Button.tsx';
import { unreadQuery } from './queries.ts';

const NotificationDialog = lazyComponent(async () => (await import('./NotificationDialog.tsx')).NotificationDialog);

/** Opens the notifications, and shows how many are unread. */
export function NotificationBell() {
  const [open, setOpen] = useState(false);
  const { data: unread = 0 } = useQuery(unreadQuery);
  return (
    <>
      <IconButton
        label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
        aria-haspopup="dialog"
        className="relative"
        onClick={() => setOpen(true)}
      >
        <Bell aria-hidden className="size-4.5" strokeWidth={1.75} />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute top-0 right-0 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 font-semibold text-2xs text-on-accent"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </IconButton>
      <Suspense>{open && <NotificationDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
