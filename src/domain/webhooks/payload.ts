import type { WebhookDelivery } from '../../contract/webhooks.ts';
import type { EventRecord } from '../../store/events/events.ts';

/** Returns the body of a delivery, which is the same for every attempt and every webhook. */
export function toPayload(
  workspaceId: string,
  { revision, type, at, by, prompt, detail }: EventRecord,
): NonNullable<WebhookDelivery['payload']> {
  // The detail was written by our own code.
  const data = { workspaceId, revision, ...(by && { by }), ...(prompt && { prompt }), ...(JSON.parse(detail) as object) };
  return { type, timestamp: at, data };
}

/** Returns the `webhook-id` of an event. It contains the workspace, because a receiver may serve several workspaces. */
export function toMessageId(workspaceId: string, revision: number): string {
  return `${prefixOf(workspaceId)}${revision}`;
}

/** Returns the revision in a `webhook-id`, or undefined if the id is not from this workspace. */
export function parseMessageId(workspaceId: string, id: string): number | undefined {
  const prefix = prefixOf(workspaceId);
  const revision = id.slice(prefix.length);
  return id.startsWith(prefix) && /^\d{1,15}$/.test(revision) ? Number(revision) : undefined;
}

function prefixOf(workspaceId: string): string {
  return `evt_${workspaceId.replace(/^u_/, '')}_`;
}
