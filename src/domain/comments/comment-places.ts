import type { CommentSubject } from '../../store/prompts/comments.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { ProposalRecord } from '../../store/prompts/proposals.ts';
import type { Actor } from '../actor.ts';

/** The current state of the place where a comment was made. */
export interface Place {
  proposal?: ProposalRecord | undefined;
  /** The prompt of the version or candidate, or the first prompt that the proposal changes. Undefined if the prompt is deleted. */
  prompt: PromptRecord | undefined;
  /** The labels that the proposal moves. */
  changes: { prompt: string; label: string }[];
}

/** Finds the names that events and notifications mention. */
export async function findPlace(
  { prompts, proposals }: Pick<PromptStores, 'prompts' | 'proposals'>,
  { workspaceId }: Actor,
  { proposalId, promptId }: CommentSubject,
): Promise<Place> {
  const proposal = proposalId === null ? undefined : await proposals.find(workspaceId, proposalId);
  const changed = (proposal?.changes ?? []).map((change) => change.promptId);
  const ids = [...new Set([...(promptId === null ? [] : [promptId]), ...changed])];
  const byId = new Map((await prompts.listById(workspaceId, ids)).map((prompt) => [prompt.id, prompt]));
  return {
    proposal,
    prompt: byId.get(promptId ?? changed[0] ?? ''),
    changes: (proposal?.changes ?? []).map(({ promptId: id, label }) => ({ prompt: byId.get(id)?.name ?? '', label })),
  };
}
