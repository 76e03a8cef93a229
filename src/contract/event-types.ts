// Separate from the schemas, so that the dashboard can import these without TypeBox.

/** The types of events in a workspace. */
export const eventTypes = [
  'prompt.created',
  'prompt.changed',
  'prompt.deleted',
  'prompt.restored',
  'version.created',
  'version.deleted',
  'label.moved',
  'label.removed',
  'dependency.changed',
  'key.reset',
  'member.added',
  'member.changed',
  'member.removed',
  'test',
] as const;
/** The types that a webhook can subscribe to. A test event is sent only to the webhook that is tested. */
export const subscribableEventTypes = eventTypes.filter((type) => type !== 'test');
export type EventType = (typeof eventTypes)[number];
