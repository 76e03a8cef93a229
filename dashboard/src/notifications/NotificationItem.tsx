import { Check } from 'lucide-react';
import type { MouseEvent } from 'react';
import { cx } from '../lib/cx.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Notification } from '../lib/types.ts';
import { IconButton } from '../ui/Button.tsx';

interface NotificationItemProps {
  item: Notification;
  onOpen: (id: string, path: string) => void;
  onRead: (id: string) => void;
}

export function NotificationItem({ item, onOpen, onRead }: NotificationItemProps) {
  const { id, text, path, at, read } = item;
  const follow = (event: MouseEvent) => {
    // The browser handles the click if it opens another tab.
    if (path === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(id, path);
  };
  return (
    <li className="flex items-start gap-2 px-2 py-2.5">
      <span aria-hidden className={cx('mt-1.5 size-2 shrink-0 rounded-full', read ? 'bg-transparent' : 'bg-accent')} />
      <div className="min-w-0 flex-1">
        {!read && <span className="sr-only">Unread: </span>}
        {path === null ? (
          <span className="wrap-anywhere">{text}</span>
        ) : (
          <a href={path} onClick={follow} className="wrap-anywhere rounded-sm hover:underline">
            {text}
          </a>
        )}
        <time className="mt-0.5 block text-ink-3 text-xs" dateTime={at} title={formatDateTime(at)}>
          {formatAgo(at)}
        </time>
      </div>
      {!read && (
        <IconButton label="Mark as read" onClick={() => onRead(id)}>
          <Check aria-hidden className="size-4" />
        </IconButton>
      )}
    </li>
  );
}
