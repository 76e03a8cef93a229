// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The types of events in a workspace. */
export const eventTypes = [
  'prompt.created',
  'prompt.changed',
  'prompt.deleted',
  'prompt.restored',
  'version.created',
  'version.deleted',
  'candidate.created',
  'candidate.changed',
  'candidate.deleted',
  'label.moved',
  'label.removed',
  'proposal.opened',
  'proposal.reviewed',
  'proposal.applied',
  'proposal.declined',
  'proposal.withdrawn',
  'proposal.expired',
  'comment.added',
  'comment.changed',
  'comment.deleted',
  'release.started',
  'release.widened',
  'release.paused',
  'release.resumed',
  'release.rolled_back',
  'release.finished',
  'dependency.changed',
  'results.worsened',
  'rules.changed',
  'key.reset',
  'member.added',
  'member.changed',
  'member.removed',
  'test',
] as const;
/** The types to which a webhook can subscribe. Test events are not among them, because they are sent only to the webhook that is tested. */
export const subscribableEventTypes = eventTypes.filter((type) => type !== 'test');
/** The formats in which a webhook receives events. */
export const webhookFormats = ['json', 'slack'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
/**
 * The metrics that can become worse in the results of a version: the share of calls that failed, or the 95th percentile of the duration.
 */
export const resultMetrics = ['errors', 'p95'] as const;
export type ResultMetric = (typeof resultMetrics)[number];
export type EventType = (typeof eventTypes)[number];
