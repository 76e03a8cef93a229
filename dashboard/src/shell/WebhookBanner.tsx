import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { Webhook } from '../lib/types.ts';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { buttonClass } from '../ui/Button.tsx';
import { webhooksQuery } from '../webhooks/queries.ts';

/** Tells admins on every page that the service has disabled a webhook, until they enable it or decide to leave it disabled. */
export function WebhookBanner() {
  const canManage = mayManage(useWorkspace());
  const webhooks = useQuery({ ...webhooksQuery, enabled: canManage });
  const isThere = useRouterState({ select: ({ location }) => location.pathname.startsWith('/dashboard/settings/webhooks') });
  const disabled = webhooks.data?.filter(({ disabledReason }) => disabledReason !== null) ?? [];
  const [first] = disabled;
  if (!first || !canManage || isThere) return null;
  const isOne = disabled.length === 1;
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-warn-soft px-4 py-2 text-warn sm:px-8">
      <p className="flex min-w-0 items-start gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          {isOne ? `The webhook to ${hostOf(first)} was` : `${disabled.length} webhooks were`} disabled. Events are no longer sent.
        </span>
      </p>
      <Link
        {...(isOne
          ? { to: '/dashboard/settings/webhooks/$id', params: { id: first.id } }
          : { to: '/dashboard/settings/webhooks', params: {} })}
        className={buttonClass('secondary', 'sm')}
      >
        Review
      </Link>
    </div>
  );
}

function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}
