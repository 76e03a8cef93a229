import type { WebhookDelivery } from '../../contract/webhooks.ts';
import type { EventRecord } from '../../store/events/events.ts';

/** The body of a delivery, which is the same for every attempt and every webhook. */
export function toPayload(
  workspaceId: string,
  { revision, type, at, by, prompt, detail }: EventRecord,
): NonNullable<WebhookDelivery['payload']> {
  // The domain wrote the detail.
  const data = { workspaceId, revision, ...(by && { by }), ...(prompt && { prompt }), ...(JSON.parse(detail) as object) };
  return { type, timestamp: at, data };
}

/** The `webhook-id` of an event. A receiver may serve several workspaces, so the workspace is part of it. */
export function toMessageId(workspaceId: string, revision: number): string {
  return `${prefixOf(workspaceId)}${revision}`;
}

/** The revision in a `webhook-id`, or undefined if it is not one of this workspace. */
export function parseMessageId(workspaceId: string, id: string): number | undefined {
  const prefix = prefixOf(workspaceId);
  const revision = id.slice(prefix.length);
  return id.startsWith(prefix) && /^\d{1,15}$/.test(revision) ? Number(revision) : undefined;
}

function prefixOf(workspaceId: string): string {
  return `evt_${workspaceId.replace(/^u_/, '')}_`;
}
