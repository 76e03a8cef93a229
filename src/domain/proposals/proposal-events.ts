import type { DiscussionType } from '../../contract/activity-types.ts';
import type { EventType } from '../../contract/events.ts';
import type { Verdict } from '../../contract/proposals.ts';
import { type Actor, toPerson } from '../actor.ts';
import { newId } from '../ids.ts';
import type { PromptChangeStores } from '../prompts/change-prompts.ts';
import type { CurrentProposal } from './proposal-state.ts';

interface ProposalEvent {
  /** `proposal.failed` appears only in the activity. */
  type: Extract<EventType, `proposal.${string}`> | 'proposal.failed';
  verdict?: Verdict;
  text?: string;
  /** Whether the service applied the proposal, and not a person. */
  automatic?: true | undefined;
  late?: true | undefined;
  problem?: string;
}

/**
 * Adds an event about a proposal, and its entry in the activity of the workspace. If there is no actor, the service caused the event. The
 * entry names only the first prompt of the proposal, because most proposals have only one.
 */
export function tellProposal(
  { events, activity }: Pick<PromptChangeStores, 'events' | 'activity'>,
  actor: Actor | undefined,
  { record, changes }: CurrentProposal,
  { type, verdict, text, automatic, late, problem }: ProposalEvent,
): void {
  const prompt = changes[0]?.prompt;
  const labels = changes.map(({ prompt: changed, label, version }) => ({
    prompt: changed?.name ?? '',
    label,
    ...(version !== undefined && { version }),
  }));
  const proposal = { id: record.id, message: record.message, changes: labels, verdict, text, automatic, late };
  const place = prompt ? { id: prompt.id, name: prompt.name } : null;
  const at = new Date().toISOString();
  const by = actor ? toPerson(actor) : null;
  if (type !== 'proposal.failed') events.add({ type, at, by, prompt: place, detail: JSON.stringify({ proposal }) });
  // Changes that the service makes at the scheduled time of a proposal are not attributed to a person.
  activity.add({ id: newId('e'), type: entryTypes[type], at, by: automatic ? null : by, detail: { proposal: { ...proposal, problem } } });
}

const entryTypes: Record<ProposalEvent['type'], DiscussionType> = {
  'proposal.opened': 'proposal_opened',
  'proposal.reviewed': 'proposal_approved',
  'proposal.declined': 'proposal_declined',
  'proposal.applied': 'proposal_applied',
  'proposal.failed': 'proposal_failed',
  'proposal.withdrawn': 'proposal_withdrawn',
  'proposal.expired': 'proposal_expired',
};
