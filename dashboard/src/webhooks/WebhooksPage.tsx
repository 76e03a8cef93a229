import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { WebhookWithSecret } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { ForAdmins } from './ForAdmins.tsx';
import { webhooksQuery } from './queries.ts';
import { SecretDialog } from './SecretDialog.tsx';
import { VerifySection } from './VerifySection.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookRow } from './WebhookRow.tsx';

/** Lists the webhooks of the workspace. */
export function WebhooksPage() {
  return (
    <ForAdmins>
      <Webhooks />
    </ForAdmins>
  );
}

function Webhooks() {
  const webhooks = useQuery(webhooksQuery);
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret>();
  const create = (
    <Button kind="primary" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden className="size-4" />
      New webhook
    </Button>
  );
  return (
    <>
      {webhooks.isPending && <Loading label="Loading webhooks" rows={4} />}
      {webhooks.isError && !webhooks.data && <Problem error={webhooks.error} onRetry={() => webhooks.refetch()} />}
      {webhooks.data?.length === 0 && (
        <EmptyState icon={WebhookIcon} title="No webhooks yet" action={create}>
          A webhook notifies your service immediately when a prompt is deployed, a version is saved or a member joins.
        </EmptyState>
      )}
      {webhooks.data && webhooks.data.length > 0 && (
        <>
          <Section title="Webhooks" description="Events in this workspace are sent to these URLs as signed requests." actions={create}>
            <ul className="-mx-4 -mb-4 divide-y divide-line border-line border-t sm:-mx-6 sm:-mb-6">
              {webhooks.data.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          </Section>
          <VerifySection />
        </>
      )}
      {isCreating && (
        <WebhookDialog
          onClose={() => setIsCreating(false)}
          onCreated={(webhook) => {
            setIsCreating(false);
            setCreated(webhook);
          }}
        />
      )}
      {created && (
        <SecretDialog
          webhook={created}
          onClose={() => {
            setCreated(undefined);
            // The dialog blocks navigation until it is removed.
            void navigate({ to: '/dashboard/settings/webhooks/$id', params: { id: created.id }, ignoreBlocker: true });
          }}
        />
      )}
    </>
  );
}
