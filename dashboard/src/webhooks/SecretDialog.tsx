import { formatDateTime } from '../lib/format.ts';
import type { WebhookWithSecret } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Shows a secret once. Only the button closes it, so that no secret is lost by a stray click. */
export function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) {
  const { secret, previousSecretUntil } = webhook;
  return (
    <Dialog
      open
      title={previousSecretUntil === null ? 'The signing secret' : 'The new signing secret'}
      description="Copy it now. It is not shown again; if it gets lost, rotate it."
      footer={
        <>
          <CopyButton text={secret} label="Copy secret" />
          <Button kind="primary" onClick={onClose}>
            I have saved it
          </Button>
        </>
      }
    >
      <code data-testid="webhook-secret" className="block rounded-md border border-line bg-sunken p-3 font-mono text-xs break-all">
        {secret}
      </code>
      <p className="mt-2 text-ink-3 text-xs">
        {previousSecretUntil === null
          ? 'The receiver needs it to verify that requests come from here.'
          : `Until ${formatDateTime(previousSecretUntil)}, requests are signed with the old secret too. Change the receiver before that.`}
      </p>
    </Dialog>
  );
}
