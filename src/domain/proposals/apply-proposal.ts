import type { AppliedProposal, Proposal, ProposalResult } from '../../contract/proposals.ts';
import { AppError, versionNotFound } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { type CandidateDraft, prepareCandidate, takeCandidate } from '../candidates/candidates.ts';
import type { WithMail } from '../mail/mail.ts';
import type { PromptChangeStores, WithChanges } from '../prompts/change-prompts.ts';
import { putLabel } from '../prompts/labels/labels.ts';
import { beginRelease, finishWith, parseRelease } from '../releases/releases.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { tellProposal } from './proposal-events.ts';
import { type CurrentChange, type CurrentProposal, isApproved } from './proposal-state.ts';
import { assertMayDecide, assertRevision, type ChangedProposal, changeProposal, getRecord } from './proposals.ts';

export type WithProposals = WithStore & WithTemplates & WithChanges & WithRecorder & WithMail;

/**
 * Applies a proposal: all its labels move in one transaction, or none. The approvals, the rules and the roles are read inside the
 * transaction, and the rules of gated labels apply as for every move.
 */
export async function applyProposal(
  ctx: WithProposals,
  actor: Actor,
  { id, revision }: { id: string; revision: string },
): Promise<Proposal> {
  const drafts = await prepareDrafts(ctx, actor, id);
  return changeProposal(ctx, actor, id, async (stores, actor, current) => {
    assertRevision(current, revision);
    return applyChanges(stores, actor, current, { drafts, proposal: { id } });
  });
}

/** Applies a proposal inside a transaction. */
export async function applyChanges(
  stores: PromptChangeStores,
  actor: Actor,
  current: CurrentProposal,
  { drafts, proposal }: { drafts: Drafts; proposal: AppliedProposal },
): Promise<ChangedProposal> {
  assertMayDecide(stores, actor, current);
  assertApplicable(actor, current);
  const result: ProposalResult[] = [];
  // All versions are made before the labels move, because a proposed version may include another proposed version by the number that it
  // gets in this loop.
  const made = new Map<string, number>();
  for (const [id, draft] of drafts) made.set(id, (await takeCandidate(stores, actor, draft, proposal)).version);
  for (const change of current.changes) result.push(await applyChange(stores, actor, change, { proposal, made }));
  const at = new Date().toISOString();
  const ended = { state: 'applied', endedAt: at, endedBy: toPerson(actor), updatedAt: at } as const;
  const record = { ...current.record, ...ended, problem: null, result };
  await stores.proposals.update(record);
  tellProposal(stores, actor, current, { type: 'proposal.applied', ...proposal });
  return { next: { ...current, record, state: record.state }, notice: { kind: 'proposal_applied', applied: proposal } };
}

function assertApplicable(actor: Actor, { changes }: CurrentProposal): void {
  for (const { label, rule, approvers } of changes) {
    if (!rule) continue;
    if (approvers.length < rule.approvals) {
      const missing = rule.approvals - approvers.length;
      const text = `The label "${label}" needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'} of this revision.`;
      throw new AppError('proposal_not_approved', { text });
    }
    // A scheduled proposal is applied with the `via` of the person who scheduled it. Otherwise, an API key could schedule a proposal that
    // the key may not apply.
    if (toPerson(actor).via === 'api' && !rule.keysMayApply) {
      throw new AppError('forbidden', {
        text: `An API key cannot move the label "${label}". A person can apply the proposal in the dashboard.`,
      });
    }
  }
  if (!isApproved(changes)) throw new AppError('proposal_not_approved');
}

/** The candidates of a proposal, by id. */
export type Drafts = Map<string, CandidateDraft>;

/** Analyzes the candidates before the transaction, to keep the transaction short. */
export async function prepareDrafts(ctx: WithProposals, actor: Actor, id: string): Promise<Drafts> {
  const stores = ctx.store.read(actor.workspaceId);
  const record = await getRecord(stores, actor, id);
  const prompts = new Map(
    (
      await stores.prompts.listById(
        actor.workspaceId,
        record.changes.map(({ promptId }) => promptId),
      )
    ).map((prompt) => [prompt.id, prompt]),
  );
  const drafts: Drafts = new Map();
  for (const { promptId, candidate } of record.changes) {
    const prompt = prompts.get(promptId);
    if (candidate === undefined || !prompt || drafts.has(candidate)) continue;
    drafts.set(candidate, await prepareCandidate(ctx, actor, { name: prompt.name, id: candidate }));
  }
  return drafts;
}

async function applyChange(
  stores: PromptChangeStores,
  actor: Actor,
  { prompt, label, version, candidate, isGone, release, rule, approvers }: CurrentChange,
  { proposal, made }: { proposal: AppliedProposal; made: ReadonlyMap<string, number> },
): Promise<ProposalResult> {
  if (!prompt) throw new AppError('prompt_not_found', { text: 'A prompt of the proposal was deleted' });
  if (release) {
    // Without a rule, nobody had to approve the release. If the label gets a rule later, the release must not count as approved.
    const approved = rule && { proposal: proposal.id, approvals: approvers.length };
    const plan = parseRelease(label, release);
    const started = await beginRelease(stores, actor, prompt, { label, input: release, plan, approved, proposal });
    return { prompt: prompt.name, label, release: started.split.id };
  }
  if (version !== undefined && isGone) throw versionNotFound(version);
  const number = version ?? made.get(candidate ?? '');
  if (number === undefined) throw new AppError('candidate_not_found');
  await finishWith(stores, actor, prompt, { label, version: number });
  const labels = await stores.labels.list(actor.workspaceId, prompt.id);
  const from = labels.get(label);
  await putLabel(stores, actor, { ...prompt, labels }, { label, version: number, by: 'move', proposal });
  await stores.prompts.update(actor.workspaceId, prompt.id, { updatedAt: new Date().toISOString() });
  return { prompt: prompt.name, label, version: number, ...(from !== undefined && { from }) };
}
