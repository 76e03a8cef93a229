// Separate from the schemas, so that the dashboard can import these without TypeBox.

/** What can happen in a workspace. */
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
/** The types that a webhook can be limited to. A test is sent to the webhook that is tested. */
export const subscribableEventTypes = eventTypes.filter((type) => type !== 'test');
export type EventType = (typeof eventTypes)[number];
