import { maxOpenProposals } from '../../contract/limits.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import type { Proposal, ProposalQuery, ProposedChange } from '../../contract/proposals.ts';
import { AppError } from '../../errors.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor } from '../cursors.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import type { Rules } from './proposal-facts.ts';
import {
  type CurrentChange,
  type CurrentProposal,
  findViewer,
  inspectProposal,
  inspectProposals,
  isIndependent,
  judgeApproval,
  toProposal,
  type Viewer,
} from './proposal-state.ts';
import { getRecord } from './proposals.ts';
import { listUnruledIncludes } from './unruled-includes.ts';

export async function getProposal(ctx: WithStore, actor: Actor, id: string): Promise<Proposal> {
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const record = await getRecord(stores, actor, id);
    const reviews = await stores.proposals.listReviews(actor.workspaceId, [record.id]);
    const rules = await readRules(stores, actor);
    const current = await inspectProposal(stores, rules, { record, reviews: reviews.get(record.id) ?? [] });
    const proposal = toProposal(current, rules, await findViewer(stores, actor));
    return record.state === 'open' ? { ...proposal, changes: await addIncludes(stores, actor, current, proposal.changes) } : proposal;
  });
}

/** Adds the prompts that the content of each change includes at labels without a rule. */
async function addIncludes(
  stores: ReadingStores,
  actor: Actor,
  { changes }: CurrentProposal,
  shown: ProposedChange[],
): Promise<ProposedChange[]> {
  const { labelRules } = await readRules(stores, actor);
  const described: ProposedChange[] = [];
  for (const [index, change] of shown.entries()) {
    const current = changes[index];
    const unruledIncludes = current?.rule ? await listUnruledIncludes(stores, actor, current, labelRules) : [];
    described.push(unruledIncludes.length === 0 ? change : { ...change, unruledIncludes });
  }
  return described;
}

/** Lists a page of proposals, newest first. */
export async function listProposals(
  ctx: WithStore,
  actor: Actor,
  { state, prompt, waiting, limit = defaultPageLimit, cursor }: ProposalQuery,
): Promise<Page<Proposal>> {
  const { workspaceId } = actor;
  const [start] = cursor === undefined ? [] : decodeCursor('proposals', 1, cursor);
  return ctx.store.readSnapshot(workspaceId, async (stores) => {
    const promptId = prompt === undefined ? undefined : (await getPromptRecord(stores, actor, prompt)).id;
    const isOpen = waiting !== undefined || (state === undefined ? undefined : state === 'open');
    const rules = await readRules(stores, actor);
    const viewer = await findViewer(stores, actor);
    // Few of the open proposals wait for the caller, so all open proposals are read together.
    const pageSize = waiting === undefined ? limit : maxOpenProposals;
    const shown: Proposal[] = [];
    let before = start;
    for (;;) {
      const records = await stores.proposals.list(workspaceId, { isOpen, promptId, before, limit: pageSize });
      const reviews = await stores.proposals.listReviews(
        workspaceId,
        records.map(({ id }) => id),
      );
      const proposals = records.map((record) => ({ record, reviews: reviews.get(record.id) ?? [] }));
      for (const current of await inspectProposals(stores, rules, { accountId: workspaceId, proposals })) {
        before = current.record.id;
        if (waiting === undefined || isWaitingFor(viewer, rules, current)) shown.push(toProposal(current, rules, viewer));
        if (shown.length === limit) return { data: shown, nextCursor: encodeCursor('proposals', [before]) };
      }
      if (records.length < pageSize) return { data: shown, nextCursor: null };
    }
  });
}

/** Returns whether a proposal lacks an approval that this person could give. */
function isWaitingFor(viewer: Viewer, rules: Rules, current: CurrentProposal): boolean {
  if (current.state !== 'open' && current.state !== 'stale') return false;
  const { given, counts } = judgeApproval(current, rules, viewer);
  const lacksMine = (change: CurrentChange) =>
    change.rule !== undefined && change.approvers.length < change.rule.approvals && isIndependent(change, viewer.userId);
  return counts && !given && current.changes.some(lacksMine);
}

async function readRules(
  { workspaceSettings }: Pick<ReadingStores, 'workspaceSettings'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
): Promise<Rules> {
  const settings = await workspaceSettings.find(workspaceId);
  if (!settings) throw new AppError('workspace_not_found');
  return settings;
}
