/** What the service counts about webhooks. */
export interface WithWebhookMetrics {
  webhookMetrics: WebhookMetrics;
}

interface WebhookMetrics {
  /** Attempts since the start. */
  delivered: number;
  failed: number;
  /** Deliveries of all workspaces that wait, counted up to a limit. */
  waiting: number;
  /** When the delivery was due that has waited longest, or undefined if none is due. */
  oldestDueAt: string | undefined;
}
