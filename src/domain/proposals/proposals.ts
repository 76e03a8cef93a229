import { maxOpenProposals, maxProposalReviews } from '../../contract/limits.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import type { NewChange, NewProposal, NewReview, Proposal, ProposalQuery } from '../../contract/proposals.ts';
import { AppError, invalidField, versionNotFound } from '../../errors.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { ProposalRecord, ReviewRecord, StoredChange } from '../../store/prompts/proposals.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { decodeCursor, encodeCursor } from '../cursors.ts';
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
import { noticeProposal, type ProposalNotice } from './proposal-notices.ts';
import { type CurrentProposal, inspectProposal, mayReview, type Rules, toProposal } from './proposal-state.ts';

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
    await stores.proposals.insert(record);
    const current = await inspectProposal(stores, stores, { record, reviews: [] });
    tellProposal(stores, actor, current, { type: 'proposal.opened' });
    return { next: current, notice: { kind: 'review_requested' } };
  });
}

export async function getProposal(ctx: WithStore, actor: Actor, id: string): Promise<Proposal> {
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const record = await getRecord(stores, actor, id);
    const reviews = await stores.proposals.listReviews(actor.workspaceId, [record.id]);
    return toProposal(await inspectProposal(stores, await readRules(stores, actor), { record, reviews: reviews.get(record.id) ?? [] }));
  });
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
    const shown: CurrentProposal[] = [];
    let before = start;
    for (;;) {
      const records = await stores.proposals.list(workspaceId, { isOpen, promptId, before, limit });
      const reviews = await stores.proposals.listReviews(
        workspaceId,
        records.map(({ id }) => id),
      );
      for (const record of records) {
        const current = await inspectProposal(stores, rules, { record, reviews: reviews.get(record.id) ?? [] });
        before = record.id;
        if (waiting === undefined || isWaitingFor(actor, rules, current)) shown.push(current);
        if (shown.length === limit) return { data: shown.map(toProposal), nextCursor: encodeCursor('proposals', [before]) };
      }
      if (records.length < limit) return { data: shown.map(toProposal), nextCursor: null };
    }
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
      text: 'Only people can approve or decline a proposal, in the dashboard. An API key can comment on it with POST /api/comments.',
    });
  }
  return changeProposal(ctx, actor, id, async (stores, actor, current) => {
    assertRevision(current, revision);
    assertMayDecide(stores, actor, current);
    if (current.reviews.length >= maxProposalReviews) {
      throw new AppError('quota_exceeded', { text: `A proposal can have at most ${maxProposalReviews} reviews` });
    }
    const at = new Date().toISOString();
    const by = toPerson(actor);
    const review: ReviewRecord = { id: newId('rev'), by, verdict, text, revision, at };
    await stores.proposals.addReview(actor.workspaceId, current.record.id, review);
    const ended = verdict === 'decline' ? ({ state: 'declined', endedAt: at, endedBy: by } as const) : {};
    const record = { ...current.record, ...ended, updatedAt: at };
    await stores.proposals.update(record);
    const next = await inspectProposal(stores, stores, { record, reviews: [...current.reviews, review] });
    tellProposal(stores, actor, next, { type: verdict === 'decline' ? 'proposal.declined' : 'proposal.reviewed', verdict, text });
    return { next, notice: { kind: 'proposal_reviewed', verdict } };
  });
}

/** Withdraws a proposal. Who opened it may do so, and who may decide about it. */
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

/** A proposal after a change, and what people are notified of. */
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
    return { proposal: toProposal(next), notification: notice && (await noticeProposal(stores, next, notice, { workspace, actor })) };
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

/** Whether a proposal lacks an approval that this person could give. */
function isWaitingFor(actor: Actor, rules: Rules, { changes, reviews, revision, state }: CurrentProposal): boolean {
  if (state !== 'open' && state !== 'stale') return false;
  const isDone = reviews.some((review) => review.by.userId === actor.accountId && review.revision === revision);
  return (
    !isDone &&
    changes.every((change) => mayReview(rules, actor.role, change)) &&
    changes.some(
      ({ rule, authors, approvers }) =>
        rule && approvers.length < rule.approvals && (rule.authorMayApprove || !authors.has(actor.accountId)),
    )
  );
}

export async function readRules(
  { workspaceSettings }: Pick<ReadingStores, 'workspaceSettings'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
): Promise<Rules> {
  const settings = await workspaceSettings.find(workspaceId);
  if (!settings) throw new AppError('workspace_not_found');
  return settings;
}

/** Validates what does not depend on the prompt. */
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
  if (Number.isNaN(year) || year < 1 || year > 9999) throw invalidField('/applyAt', 'Use a time that exists, of the years 1 to 9999');
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

/** Replaces names by ids, so that a renamed prompt stays the same, and checks that everything exists. */
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
