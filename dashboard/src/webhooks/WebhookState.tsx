import type { Webhook } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';

export function WebhookState({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
  if (enabled) return <Badge tone="accent">enabled</Badge>;
  return disabledReason === null ? <Badge>disabled</Badge> : <Badge tone="danger">disabled by the service</Badge>;
}
