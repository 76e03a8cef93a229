import { formatDateTime } from '../lib/format.ts';
import type { WebhookWithSecret } from '../lib/types.ts';
import { OnceDialog } from '../ui/OnceDialog.tsx';

export function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) {
  const { secret, previousSecretUntil } = webhook;
  return (
    <OnceDialog
      title={previousSecretUntil === null ? 'Signing secret' : 'New signing secret'}
      description="Copy it now. It is not shown again. If you lose it, rotate it."
      secret={secret}
      copyLabel="Copy secret"
      testId="webhook-secret"
      onClose={onClose}
    >
      {previousSecretUntil === null
        ? 'The receiver needs it to verify that requests come from here.'
        : `Until ${formatDateTime(previousSecretUntil)}, requests are also signed with the old secret. Update the receiver before then.`}
    </OnceDialog>
  );
}
