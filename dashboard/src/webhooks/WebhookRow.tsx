import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { Webhook } from '../lib/types.ts';
import { describeEvents } from './events.ts';
import { WebhookState } from './WebhookState.tsx';

/** A webhook in the list, which links to its page. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, description, events } = webhook;
  return (
    <li>
      <Link
        to="/dashboard/settings/webhooks/$id"
        params={{ id }}
        className="flex items-center gap-3 px-4 py-3 -outline-offset-2 hover:bg-hover sm:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate font-medium" title={url}>
              {withoutScheme(url)}
            </span>
            <WebhookState webhook={webhook} />
          </span>
          <span className="block truncate text-ink-3 text-xs">
            {[description, describeEvents(events)].filter((part) => part !== '').join(' · ')}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-3" />
      </Link>
    </li>
  );
}

/** Removes the scheme, so that the host comes first. Users look for the host. */
function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '');
}
