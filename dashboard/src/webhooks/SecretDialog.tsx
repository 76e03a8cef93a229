import { formatDateTime } from '../lib/format.ts';
import type { WebhookWithSecret } from '../lib/types.ts';
import { OnceDialog } from '../ui/OnceDialog.tsx';

export function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) {
  const { secret, previousSecretUntil } = webhook;
  return (
    <OnceDialog
      title={previousSecretUntil === null ? 'Signing secret' : 'New signing secret'}
      description="Copy the secret now. It is not shown again. If you lose the secret, rotate it."
      secret={secret}
      copyLabel="Copy secret"
      testId="webhook-secret"
      onClose={onClose}
    >
      {previousSecretUntil === null
        ? 'The receiver needs the secret to verify that requests come from PromptHarbor.'
        : `Until ${formatDateTime(previousSecretUntil)}, requests are also signed with the old secret. Update the receiver before then.`}
    </OnceDialog>
  );
}
