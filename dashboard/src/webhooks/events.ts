import { subscribableEventTypes } from '../../../src/contract/event-types.ts';
import { plural } from '../lib/format.ts';
import type { Webhook } from '../lib/types.ts';

export type SubscribableEvent = Exclude<Webhook['events'], 'all'>[number];

const maxNamed = 3;

/** "All events", the types, or how many there are. */
export function describeEvents(events: Webhook['events']): string {
  if (events === 'all') return 'All events';
  return events.length <= maxNamed ? events.join(', ') : plural(events.length, 'type of event', 'types of events');
}

/** What a type of event tells. */
export const eventTexts: Record<SubscribableEvent, string> = {
  'prompt.created': 'A prompt was created',
  'prompt.changed': 'Renamed, described, tagged, or its cases changed',
  'prompt.deleted': 'Moved to the bin',
  'prompt.restored': 'Restored from the bin',
  'version.created': 'A version was saved',
  'version.deleted': 'A version was deleted',
  'label.moved': 'Deployed or rolled back',
  'label.removed': 'A label was removed',
  'dependency.changed': 'An included prompt has changed',
  'key.reset': "The owner's API key was reset",
  'member.added': 'A member or service account joined',
  'member.changed': 'A role was changed',
  'member.removed': 'A member left or was removed',
};

// The contract lists them in this order; its filter does not keep the literal types.
export const eventChoices = subscribableEventTypes as SubscribableEvent[];
