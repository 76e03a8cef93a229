import { maxEndedProposals, maxOpenProposals } from '../../contract/limits.ts';
import type { NewChange, NewProposal, NewReview, Proposal } from '../../contract/proposals.ts';
import { AppError, invalidField, versionNotFound } from '../../errors.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { ProposalRecord, ReviewRecord, StoredChange } from '../../store/prompts/proposals.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { mailNotification } from '../notifications/notify.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../prompts/change-prompts.ts';
import { assertMovable } from '../prompts/labels/labels.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { assertPlainText } from '../prompts/versions/version-content.ts';
import { parseRelease } from '../releases/releases.ts';
import { describeWorkspace } from '../workspaces/change-workspace.ts';
import { tellProposal } from './proposal-events.ts';
import type { Rules } from './proposal-facts.ts';
import { noticeProposal, type ProposalNotice } from './proposal-notices.ts';
import { type CurrentProposal, findViewer, inspectProposal, mayReview, toProposal } from './proposal-state.ts';

/** Opens a proposal. Nothing changes until it is applied. */
export async function openProposal(
  ctx: WithStore & WithChanges & WithMail,
  actor: Actor,
  { changes, message = '', reviewers = [], applyAt }: NewProposal,
): Promise<Proposal> {
  assertPlainText('/message', message);
  for (const [index, change] of changes.entries()) parseChange(change, `/changes/${index}`);
  assertDistinct(changes);
  return changeAndNotify(ctx, actor, async (stores, actor) => {
    const { workspaceId } = actor;
    if ((await stores.proposals.countOpen(workspaceId)) >= maxOpenProposals) {
      throw new AppError('quota_exceeded', { text: `A workspace can have at most ${maxOpenProposals} open proposals` });
    }
    await assertMembers(stores, workspaceId, reviewers);
    const now = new Date().toISOString();
    const record: ProposalRecord = {
      accountId: workspaceId,
      id: newId('prop'),
      state: 'open',
      changes: await storeChanges(stores, actor, changes),
      ...{ message, reviewers, openedAt: now, openedBy: toPerson(actor), updatedAt: now },
      applyAt: applyAt === undefined ? null : parseTime(applyAt),
      ...{ problem: null, endedAt: null, endedBy: null, result: null },
    };
    await stores.proposals.deleteExcess(workspaceId, maxEndedProposals);
    await stores.proposals.insert(record);
    const current = await inspectProposal(stores, stores, { record, reviews: [] });
    tellProposal(stores, actor, current, { type: 'proposal.opened' });
    return { next: current, notice: { kind: 'review_requested' } };
  });
}

/** Adds a review. Only people decide: an API key may neither approve nor decline. */
export async function reviewProposal(
  ctx: WithStore & WithChanges & WithMail,
  actor: Actor,
  { id, verdict, text = '', revision }: NewReview & { id: string },
): Promise<Proposal> {
  assertPlainText('/text', text);
  if (actor.via !== 'session') {
    throw new AppError('forbidden', {
      text: 'Only people can approve or decline a proposal, and only in the dashboard. An API key can comment on it with POST /api/comments.',
    });
  }
  return changeProposal(ctx, actor, id, async (stores, actor, current) => {
    assertRevision(current, revision);
    assertMayDecide(stores, actor, current);
    // A person has at most one approval. Therefore, nobody can fill a proposal with approvals so that others cannot approve it.
    const replaced =
      verdict === 'approve' ? current.reviews.filter((one) => one.verdict === 'approve' && one.by.userId === actor.accountId) : [];
    for (const { id: replacedId } of replaced) await stores.proposals.deleteReview(actor.workspaceId, current.record.id, replacedId);
    const at = new Date().toISOString();
    const by = toPerson(actor);
    const review: ReviewRecord = { id: newId('rev'), by, verdict, text, revision, at };
    await stores.proposals.addReview(actor.workspaceId, current.record.id, review);
    const ended = verdict === 'decline' ? ({ state: 'declined', endedAt: at, endedBy: by } as const) : {};
    const record = { ...current.record, ...ended, updatedAt: at };
    await stores.proposals.update(record);
    const reviews = [...current.reviews.filter((one) => !replaced.includes(one)), review];
    const next = await inspectProposal(stores, stores, { record, reviews });
    tellProposal(stores, actor, next, { type: verdict === 'decline' ? 'proposal.declined' : 'proposal.reviewed', verdict, text });
    return { next, notice: { kind: 'proposal_reviewed', verdict } };
  });
}

/** Withdraws a proposal. This is allowed for the person who opened the proposal and for everyone who may decide about it. */
export async function withdrawProposal(ctx: WithStore & WithChanges & WithMail, actor: Actor, id: string): Promise<Proposal> {
  return changeProposal(ctx, actor, id, async (stores, actor, current) => {
    const { record } = current;
    if (record.openedBy.userId !== actor.accountId) assertMayDecide(stores, actor, current);
    const at = new Date().toISOString();
    const next = { ...record, state: 'withdrawn', endedAt: at, endedBy: toPerson(actor), updatedAt: at } as const;
    await stores.proposals.update(next);
    tellProposal(stores, actor, current, { type: 'proposal.withdrawn' });
    return { next: { ...current, record: next, state: next.state } };
  });
}

/** A proposal after a change, and the event about which people are notified. */
export interface ChangedProposal {
  next: CurrentProposal;
  notice?: ProposalNotice;
}

/** Changes a proposal that is still open, inside a transaction. */
export async function changeProposal(
  ctx: WithStore & WithChanges & WithMail,
  actor: Actor,
  id: string,
  change: (stores: PromptChangeStores, actor: Actor, current: CurrentProposal) => Promise<ChangedProposal>,
): Promise<Proposal> {
  return changeAndNotify(ctx, actor, async (stores, actor) => change(stores, actor, await getOpen(stores, actor, id)));
}

/** Changes a proposal in a transaction, and notifies people. */
async function changeAndNotify(
  ctx: WithStore & WithChanges & WithMail,
  actor: Actor,
  change: (stores: PromptChangeStores, actor: Actor) => Promise<ChangedProposal>,
): Promise<Proposal> {
  const workspace = await describeWorkspace(ctx.store, actor.workspaceId);
  const { proposal, notification } = await changePrompts(ctx, actor, async (stores, actor) => {
    const { next, notice } = await change(stores, actor);
    const viewer = await findViewer(stores, actor);
    return {
      proposal: toProposal(next, stores, viewer),
      notification: notice && (await noticeProposal(stores, next, notice, { workspace, actor })),
    };
  });
  if (notification) mailNotification(ctx, notification);
  return proposal;
}

/** Returns a proposal that is still open, as it is now. */
async function getOpen(stores: PromptChangeStores, actor: Actor, id: string): Promise<CurrentProposal> {
  const record = await getRecord(stores, actor, id);
  if (record.state !== 'open') throw new AppError('proposal_ended', { text: `The proposal is ${record.state}. Open a new one.` });
  const reviews = await stores.proposals.listReviews(actor.workspaceId, [record.id]);
  return inspectProposal(stores, stores, { record, reviews: reviews.get(record.id) ?? [] });
}

export async function getRecord(
  { proposals }: Pick<PromptStores, 'proposals'>,
  { workspaceId }: Actor,
  id: string,
): Promise<ProposalRecord> {
  const record = await proposals.find(workspaceId, toStorable(id));
  if (!record) throw new AppError('proposal_not_found');
  return record;
}

export function assertRevision(current: CurrentProposal, revision: string): void {
  if (current.revision !== revision) throw new AppError('proposal_changed');
}

/** Throws `forbidden` if the actor may not move one of the labels. */
export function assertMayDecide(rules: Rules, actor: Actor, { changes }: CurrentProposal): void {
  const refused = changes.find((change) => !mayReview(rules, actor.role, change));
  if (!refused) return;
  throw new AppError('forbidden', { text: `You need a role that may move the label "${refused.label}". Your role is "${actor.role}".` });
}

/** Validates the fields that do not depend on the prompt. */
function parseChange({ label, version, candidate, release }: NewChange, path: string): void {
  assertMovable(`${path}/label`, label);
  const targets = [version, candidate, release].filter((target) => target !== undefined);
  if (targets.length !== 1) throw invalidField(path, 'Send exactly one of version, candidate and release');
  if (release) parseRelease(label, release);
}

/** Returns a time in UTC. Rejects leap seconds and times that sort differently as text. */
function parseTime(text: string): string {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) throw invalidField('/applyAt', 'Use a valid time in the years 1 to 9999');
  return time.toISOString();
}

function assertDistinct(changes: NewChange[]): void {
  const seen = new Set<string>();
  for (const [index, { prompt, label }] of changes.entries()) {
    const key = JSON.stringify([prompt.normalize('NFC'), label]);
    if (seen.has(key)) throw invalidField(`/changes/${index}/label`, 'A proposal can move each label of a prompt only once');
    seen.add(key);
  }
}

/**
 * Replaces names with ids, so that the proposal still concerns the same prompts after they are renamed, and checks that everything exists.
 */
async function storeChanges(stores: PromptChangeStores, actor: Actor, changes: NewChange[]): Promise<StoredChange[]> {
  const stored: StoredChange[] = [];
  for (const { prompt: name, label, version, candidate, release } of changes) {
    const { id: promptId } = await getPromptRecord(stores, actor, name);
    const owner = { accountId: actor.workspaceId, promptId };
    const numbers = release ? [release.control, ...release.arms.map((arm) => arm.version)] : version === undefined ? [] : [version];
    for (const number of numbers) {
      if (!(await stores.versions.find(owner.accountId, promptId, number))) throw versionNotFound(number);
    }
    if (candidate !== undefined && !(await stores.candidates.find(owner, toStorable(candidate)))) throw new AppError('candidate_not_found');
    stored.push({
      promptId,
      label,
      ...(version !== undefined && { version }),
      ...(candidate !== undefined && { candidate }),
      ...(release && { release }),
    });
  }
  return stored;
}

async function assertMembers({ memberships }: PromptChangeStores, workspaceId: string, reviewers: string[]): Promise<void> {
  const members = await memberships.findNames(workspaceId, reviewers.map(toStorable));
  const unknown = reviewers.findIndex((id) => members.get(id) === undefined || members.get(id)?.isService);
  if (unknown >= 0) throw invalidField(`/reviewers/${unknown}`, 'Not a member of this workspace');
}
