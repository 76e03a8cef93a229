import type { ServicePerson } from '../../contract/people.ts';
import type { AppliedProposal } from '../../contract/proposals.ts';
import { AppError, reasonOf, versionNotFound } from '../../errors.ts';
import { type Repeating, repeat } from '../../platform/scheduling/repeat.ts';
import type { PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import type { DueProposal } from '../../store/prompts/proposals.ts';
import { type ServiceActor, toServiceActor } from '../actor.ts';
import { mailNotification, type StoredNotification } from '../notifications/notify.ts';
import { changeAndInform } from '../prompts/change-prompts.ts';
import { describeWorkspace } from '../workspaces/change-workspace.ts';
import { applyChanges, type Drafts, prepareDrafts, type WithProposals } from './apply-proposal.ts';
import { tellProposal } from './proposal-events.ts';
import type { Rules, StateStores } from './proposal-facts.ts';
import { noticeProposal } from './proposal-notices.ts';
import { type CurrentProposal, inspectProposal, mayReview } from './proposal-state.ts';

const intervalMs = 60_000;
const pageSize = 100;
/** A proposal counts as late if more than this time has passed between its scheduled time and its application. */
const lateAfterMs = 5 * 60_000;

/** Applies the approved proposals whose scheduled time has come. Every instance does this once a minute. */
export function startApplyingProposals(
  ctx: WithProposals,
  { onError, ...options }: { onError(err: unknown): void; intervalMs?: number },
): Repeating {
  return repeat((signal) => applyDueProposals(ctx, signal), { intervalMs, ...options, onError });
}

/** Applies one proposal at a time. An error in one proposal does not affect the others, and the proposal is tried again the next time. */
export async function applyDueProposals(ctx: WithProposals, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  const now = new Date().toISOString();
  let last: DueProposal | undefined;
  let page: DueProposal[];
  do {
    page = await ctx.store.proposals.listDue(now, last, pageSize);
    for (const due of page) {
      await applyDue(ctx, due, signal).catch((err: unknown) => errors.push(err));
      if (signal?.aborted) return;
    }
    last = page.at(-1);
  } while (page.length === pageSize);
  if (errors.length > 0) throw new AggregateError(errors, 'Some proposals could not be applied at their scheduled times');
}

async function applyDue(ctx: WithProposals, due: DueProposal, signal: AbortSignal | undefined): Promise<void> {
  const { accountId: workspaceId } = due;
  const found = await ctx.store.readSnapshot(workspaceId, async (stores) => {
    const rules = await stores.workspaceSettings.find(workspaceId);
    return rules && inspectDue(stores, rules, due);
  });
  if (!found || found.state === 'open') return;
  const workspace = await describeWorkspace(ctx.store, workspaceId);
  const change = (act: (stores: PromptTransaction) => Promise<StoredNotification | undefined>) =>
    ctx.changes.run(workspaceId, () => ctx.store.changePrompts(workspaceId, act), signal).catch(ignoreDeletedAccount);
  let notification: StoredNotification | undefined;
  try {
    assertNotStale(found);
    const drafts = await prepareDrafts(ctx, findActor(found), due.id);
    notification = await change((stores) => apply(stores, { workspace, due, drafts }));
  } catch (err) {
    if (!isLasting(err)) throw err;
    notification = await change((stores) => fail(stores, { workspace, due, problem: reasonOf(err) }));
  }
  if (notification) mailNotification(ctx, notification);
}

interface DueChange {
  workspace: { id: string; name: string };
  due: DueProposal;
}

/**
 * Applies a proposal, unless a person or another instance has changed it in the meantime. Changes to a workspace run one at a time, so
 * exactly one instance applies it.
 */
async function apply(
  stores: PromptTransaction,
  { workspace, due, drafts }: DueChange & { drafts: Drafts },
): Promise<StoredNotification | undefined> {
  const current = await inspectDue(stores, stores, due);
  if (!current || current.state === 'open') return undefined;
  assertNotStale(current);
  const isLate = Date.now() - Date.parse(due.applyAt) > lateAfterMs;
  const proposal: AppliedProposal = { id: due.id, automatic: true, ...(isLate && ({ late: true } as const)) };
  return changeAndInform(stores, findActor(current), async (stores, actor) => {
    const { next, notice } = await applyChanges(stores, actor, current, { drafts, proposal });
    return notice && noticeProposal(stores, next, notice, { workspace });
  });
}

/**
 * Stores why a proposal could not be applied. The proposal is not tried again, and stays open so that a person can apply or withdraw it.
 */
async function fail(
  stores: PromptTransaction,
  { workspace, due, problem }: DueChange & { problem: string },
): Promise<StoredNotification | undefined> {
  const current = await inspectDue(stores, stores, due);
  if (!current) return undefined;
  const record = { ...current.record, applyAt: null, problem, updatedAt: new Date().toISOString() };
  await stores.proposals.update(record);
  tellProposal(stores, undefined, { ...current, record }, { type: 'proposal.failed', problem });
  return noticeProposal(stores, { ...current, record }, { kind: 'proposal_failed', problem }, { workspace });
}

/** Returns the proposal as it is now, if it is still open and scheduled for the same time. */
async function inspectDue(
  stores: StateStores & Pick<PromptTransaction, 'proposals'>,
  rules: Rules,
  { accountId, id, applyAt }: DueProposal,
): Promise<DueState | undefined> {
  const record = await stores.proposals.find(accountId, id);
  if (record?.state !== 'open' || record.applyAt !== applyAt) return undefined;
  const reviews = (await stores.proposals.listReviews(accountId, [id])).get(id) ?? [];
  const current = await inspectProposal(stores, rules, { record, reviews });
  const people = [...listApprovers(current), record.openedBy];
  const roles = (
    await stores.memberships.findRoles(
      accountId,
      people.map(({ userId }) => userId),
    )
  ).set(accountId, 'owner');
  const actors = people.flatMap((person) => {
    const role = roles.get(person.userId);
    return role ? [toServiceActor(person, { workspaceId: accountId, role })] : [];
  });
  return { ...current, actors: actors.filter(({ role }) => current.changes.every((change) => mayReview(rules, role, change))) };
}

/** A proposal whose scheduled time has come, and the people for whom the service may apply it. */
interface DueState extends CurrentProposal {
  actors: ServiceActor[];
}

/** Lists the people whose approvals count, the most recent approver first. */
function listApprovers({ reviews, revision, changes }: CurrentProposal): ServicePerson[] {
  const counts = ({ userId }: ServicePerson) => changes.some(({ approvers }) => approvers.includes(userId));
  const approvals = reviews.filter((review) => review.verdict === 'approve' && review.revision === revision && counts(review.by));
  return approvals.map(({ by }) => by).reverse();
}

function findActor({ actors, changes }: DueState): ServiceActor {
  const [actor] = actors;
  if (actor) return actor;
  const labels = [...new Set(changes.map(({ label }) => `"${label}"`))].join(', ');
  throw new AppError('forbidden', { text: `The reviewers and the person who opened the proposal may no longer move ${labels}` });
}

function assertNotStale({ state, changes }: CurrentProposal): void {
  if (state !== 'stale') return;
  if (changes.some(({ prompt }) => !prompt)) throw new AppError('prompt_not_found', { text: 'A prompt of the proposal was deleted' });
  if (changes.some(({ candidate, found }) => candidate !== undefined && !found)) {
    throw new AppError('candidate_not_found', { text: 'A candidate of the proposal was deleted' });
  }
  const deleted = changes.find(({ version, isGone }) => version !== undefined && isGone);
  if (deleted) throw versionNotFound(deleted.version ?? 0);
  const text = 'The effect of the proposal changed after the approval, so it must be approved again';
  throw new AppError('proposal_not_approved', { text });
}

/**
 * Returns whether another attempt would end with the same error. Overload is temporary, and a candidate that someone has just changed is
 * analyzed again.
 */
function isLasting(err: unknown): err is AppError {
  return err instanceof AppError && err.status < 500 && err.status !== 429 && err.code !== 'candidate_changed';
}

function ignoreDeletedAccount(err: unknown): undefined {
  if (!(err instanceof AppError) || err.code !== 'unauthorized') throw err;
}
