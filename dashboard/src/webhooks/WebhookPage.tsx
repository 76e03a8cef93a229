import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Webhook as WebhookIcon } from 'lucide-react';
import { ApiError } from '../../../client/src/errors.ts';

import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { ForAdmins } from './ForAdmins.tsx';
import { webhookQuery } from './queries.ts';
import { VerifySection } from './VerifySection.tsx';
import { WebhookCard } from './WebhookCard.tsx';

/** Shows one webhook with its state, its deliveries, and code that verifies them. */
export function WebhookPage() {
  return (
    <ForAdmins>
      <BackLink />
      <OneWebhook />
    </ForAdmins>
  );
}

function OneWebhook() {
  const { id } = useParams({ from: '/dashboard/settings/webhooks/$id' });
  const webhook = useQuery(webhookQuery(id));
  if (webhook.error instanceof ApiError && webhook.error.status === 404) {
    return (
      <EmptyState icon={WebhookIcon} title="Webhook not found">
        It may have been deleted.
      </EmptyState>
    );
  }
  if (webhook.isPending) return <Loading label="Loading webhook" rows={6} />;
  // After a failed refetch the page keeps its content, because a new secret is shown only once.
  if (!webhook.data) return <Problem error={webhook.error} onRetry={() => webhook.refetch()} />;
  return (
    <>
      <WebhookCard webhook={webhook.data} />
      <DeliveryList webhook={webhook.data} />
      <VerifySection />
    </>
  );
}

function BackLink() {
  return (
    <Link
      to="/dashboard/settings/webhooks"
      className="-ml-1 inline-flex items-center gap-1.5 rounded-md px-1 font-medium text-ink-2 hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      All webhooks
    </Link>
  );
}
