import { subscribableEventTypes } from '../../../src/contract/event-types.ts';
import { plural } from '../lib/format.ts';
import type { Webhook } from '../lib/types.ts';

export type SubscribableEvent = Exclude<Webhook['events'], 'all'>[number];

const maxNamed = 3;

/** Returns "All events", the types, or the number of types. */
export function describeEvents(events: Webhook['events']): string {
  if (events === 'all') return 'All events';
  return events.length <= maxNamed ? events.join(', ') : plural(events.length, 'event type');
}

/** Describes a type of event. */
export const eventTexts: Record<SubscribableEvent, string> = {
  'prompt.created': 'A prompt was created',
  'prompt.changed': 'A name, description, tags or test cases changed',
  'prompt.deleted': 'A prompt was moved to the bin',
  'prompt.restored': 'A prompt was restored from the bin',
  'version.created': 'A version was saved',
  'version.deleted': 'A version was deleted',
  'candidate.created': 'A candidate was created',
  'candidate.changed': 'A candidate was changed',
  'candidate.deleted': 'A candidate was applied or deleted',
  'label.moved': 'A label was moved to a version',
  'label.removed': 'A label was removed',
  'proposal.opened': 'A proposal was opened',
  'proposal.reviewed': 'A proposal was approved',
  'proposal.applied': 'A proposal was applied',
  'proposal.declined': 'A proposal was declined',
  'proposal.withdrawn': 'A proposal was withdrawn',
  'proposal.expired': 'A proposal expired',
  'comment.added': 'A comment was added to a proposal, a version or a candidate',
  'comment.changed': 'A comment was edited, or its thread was resolved or reopened',
  'comment.deleted': 'A comment was deleted',
  'release.started': 'A release was started',
  'release.widened': 'A release was widened',
  'release.paused': 'A release was paused',
  'release.resumed': 'A release was resumed',
  'release.rolled_back': 'A release was rolled back',
  'release.finished': 'A release was finished',
  'dependency.changed': 'An included prompt changed',
  'results.worsened': 'A deployed version fails more often or is slower',
  'rules.changed': 'A label rule was changed',
  'key.reset': 'The owner’s API key was reset',
  'member.added': 'A member or service account joined',
  'member.changed': 'A role was changed',
  'member.removed': 'A member left or was removed',
};

// The contract lists the types in this order. The type assertion restores the literal types, which filtering loses.
export const eventChoices = subscribableEventTypes as SubscribableEvent[];
