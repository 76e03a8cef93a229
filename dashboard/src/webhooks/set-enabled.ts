import { call, messageOf } from '../lib/api.ts';
import type { Webhook } from '../lib/types.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { refreshWebhooks } from './queries.ts';

/**
 * Enables or disables a webhook. Disabling a webhook that the service disabled because of failures confirms that the webhook stays
 * disabled.
 */
export async function setEnabled({ id }: Webhook, enabled: boolean): Promise<void> {
  try {
    await call('changeWebhook', { path: { id }, body: { enabled } });
    toast(enabled ? 'Webhook enabled. New events are sent.' : 'Webhook disabled. New events are not sent.');
  } catch (err) {
    toastFailure(messageOf(err));
  }
  await refreshWebhooks();
}
