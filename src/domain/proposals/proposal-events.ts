import type { EventType } from '../../contract/events.ts';
import type { Verdict } from '../../contract/proposals.ts';
import { type Actor, toPerson } from '../actor.ts';
import type { PromptChangeStores } from '../prompts/change-prompts.ts';
import type { CurrentProposal } from './proposal-state.ts';

interface ProposalEvent {
  type: Extract<EventType, `proposal.${string}`>;
  verdict?: Verdict;
  text?: string;
  /** Whether the service applied the proposal at its time, or later. */
  automatic?: true | undefined;
  late?: true | undefined;
}

/** Adds an event about a proposal, which the service caused if there is no actor. It names the first prompt, to which most proposals are limited. */
export function tellProposal(
  { events }: Pick<PromptChangeStores, 'events'>,
  actor: Actor | undefined,
  { record, changes }: CurrentProposal,
  { type, verdict, text, automatic, late }: ProposalEvent,
): void {
  const prompt = changes[0]?.prompt;
  const labels = changes.map(({ prompt: changed, label, version }) => ({
    prompt: changed?.name ?? '',
    label,
    ...(version !== undefined && { version }),
  }));
  const proposal = { id: record.id, message: record.message, changes: labels, verdict, text, automatic, late };
  const place = prompt ? { id: prompt.id, name: prompt.name } : null;
  events.add({
    type,
    at: new Date().toISOString(),
    by: actor ? toPerson(actor) : null,
    prompt: place,
    detail: JSON.stringify({ proposal }),
  });
}
