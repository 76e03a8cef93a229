import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import type { Webhook, WebhookDelivery } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { AttemptDetails } from './AttemptDetails.tsx';
import { refreshDeliveries } from './queries.ts';

/**
 * Sends a test event and shows the receiver's response. If the user closes the dialog too early, the result is in the list of deliveries.
 */
export function TestButton({ webhook: { id } }: { webhook: Webhook }) {
  const [isOpen, setIsOpen] = useState(false);
  const test = useMutation({
    mutationFn: () => call('testWebhook', { path: { id } }),
    onSettled: () => void refreshDeliveries(),
  });
  const send = () => {
    setIsOpen(true);
    test.mutate();
  };
  const attempt = test.data?.attempts.at(-1);
  return (
    <>
      <Button onClick={send}>
        <Send aria-hidden className="size-4" />
        Send test
      </Button>
      <Dialog open={isOpen} onOpenChange={() => setIsOpen(false)} title={titleOf(test)}>
        <div role="status">
          {test.isPending && <p className="text-ink-3">The receiver has 15 seconds to respond.</p>}
          {attempt && <AttemptDetails attempt={attempt} />}
          <FormError>{test.isError && messageOf(test.error)}</FormError>
        </div>
      </Dialog>
    </>
  );
}

function titleOf({ isPending, data }: { isPending: boolean; data: WebhookDelivery | undefined }): string {
  if (isPending) return 'Sending a test…';
  return data?.state === 'delivered' ? 'The test was delivered' : 'The test was not delivered';
}
