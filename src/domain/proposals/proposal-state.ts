import { hash } from 'node:crypto';
import type { LabelRule } from '../../contract/label-rules.ts';
import type { Proposal, ProposalState, ProposedChange } from '../../contract/proposals.ts';
import { includesRole, type Role } from '../../contract/roles.ts';
import type { PromptStores, PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { ProposalRecord, ReviewRecord, StoredChange } from '../../store/prompts/proposals.ts';
import { findCasesDigest } from '../cases/cases.ts';
import { isActive, versionsOf } from '../releases/release-choice.ts';

/** The stores from which the state of a proposal follows. */
export type StateStores = Pick<PromptStores, 'prompts' | 'labels' | 'candidates' | 'releases' | 'cases' | 'versions'> &
  Pick<PromptTransaction, 'memberships'>;

/** The rules of labels, as they are now. */
export type Rules = Pick<PromptTransaction, 'labelRules' | 'gatedLabels' | 'protectedLabels'>;

/** A change of a proposal, as it would be made now. */
export interface CurrentChange extends StoredChange {
  /** Undefined if the prompt is deleted. */
  prompt: PromptRecord | undefined;
  /** The version at which the label points. */
  from: number | undefined;
  found: { id: string; title: string; revision: number } | undefined;
  rule: LabelRule | undefined;
  /** Who may not approve the change, because they wrote the content or opened the proposal. */
  authors: ReadonlySet<string>;
  /** Those whose approvals count. */
  approvers: string[];
}

/** A proposal as it is now. */
export interface CurrentProposal {
  record: ProposalRecord;
  reviews: ReviewRecord[];
  revision: string;
  changes: CurrentChange[];
  state: ProposalState;
}

/**
 * Finds out what a proposal would change now, and who has approved exactly this. The revision is a digest of everything on which an approval
 * depends. An approval counts only for the current revision, and only while the reviewer may move the label. So nothing has to be done to
 * approvals when a candidate, a label, a test case or a role changes.
 */
export async function inspectProposal(
  stores: StateStores,
  rules: Rules,
  { record, reviews }: { record: ProposalRecord; reviews: ReviewRecord[] },
): Promise<CurrentProposal> {
  const { accountId } = record;
  const prompts = new Map(
    (await stores.prompts.listById(accountId, [...new Set(record.changes.map(({ promptId }) => promptId))])).map((prompt) => [
      prompt.id,
      prompt,
    ]),
  );
  const changes: CurrentChange[] = [];
  const facts: unknown[] = [];
  for (const change of record.changes) {
    const { promptId, label } = change;
    const owner = { accountId, promptId };
    const prompt = prompts.get(promptId);
    const from = prompt && (await stores.labels.list(accountId, promptId)).get(label);
    const candidate = change.candidate === undefined ? undefined : await stores.candidates.find(owner, change.candidate);
    const release = await stores.releases.find(owner, label);
    const cases = rules.gatedLabels.includes(label) ? await findCasesDigest(stores, owner) : undefined;
    facts.push([
      promptId,
      // The name decides who gets the content. Otherwise, an approved prompt could take the place of another one.
      prompt?.name,
      label,
      change.version,
      change.release,
      candidate?.id,
      candidate?.revision,
      from,
      isActive(release) ? release.split.id : null,
      cases?.digest,
    ]);
    const rule = Object.hasOwn(rules.labelRules, label) ? rules.labelRules[label] : undefined;
    const authors = new Set([record.openedBy.userId, ...(candidate?.authors ?? []), ...(await findAuthors(stores, owner, change, from))]);
    const found = candidate && { id: candidate.id, title: candidate.title, revision: candidate.revision };
    changes.push({ ...change, prompt, from, found, rule, authors, approvers: [] });
  }
  const revision = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22);
  const approving = reviews.filter((review) => review.verdict === 'approve');
  const roles = await findRoles(stores, accountId, approving);
  for (const change of changes) {
    const current = approving.filter((review) => review.revision === revision && mayReview(rules, roles.get(review.by.userId), change));
    const counted = current.filter(({ by }) => change.rule?.authorMayApprove || !change.authors.has(by.userId));
    change.approvers = [...new Set(counted.map(({ by }) => by.userId))];
  }
  return { record, reviews, revision, changes, state: toState(record, changes, approving.length > 0) };
}

/** Whether somebody with this role may approve a change. It is who may move the label. */
export function mayReview({ protectedLabels }: Pick<Rules, 'protectedLabels'>, role: Role | undefined, { label }: StoredChange): boolean {
  return role !== undefined && includesRole(role, protectedLabels.includes(label) ? 'deployer' : 'editor');
}

/** Whether all rules are satisfied. */
export function isApproved(changes: CurrentChange[]): boolean {
  return changes.every(({ rule, approvers }) => approvers.length >= (rule?.approvals ?? 0));
}

function toState({ state, applyAt }: ProposalRecord, changes: CurrentChange[], wasApproved: boolean): ProposalState {
  if (state !== 'open') return state;
  if (changes.some(({ prompt, candidate, found }) => !prompt || (candidate !== undefined && !found))) return 'stale';
  if (isApproved(changes)) return applyAt === null ? 'approved' : 'scheduled';
  return wasApproved && changes.every(({ approvers }) => approvers.length === 0) ? 'stale' : 'open';
}

/** Finds who wrote the versions that would become live. The control of a release already is, unless the label points elsewhere. */
async function findAuthors(
  { versions }: Pick<PromptStores, 'versions'>,
  { accountId, promptId }: { accountId: string; promptId: string },
  { version, release }: StoredChange,
  from: number | undefined,
): Promise<string[]> {
  const released = release ? versionsOf(release).filter((number) => number !== from) : [];
  return versions.listAuthors(accountId, promptId, version === undefined ? released : [version]);
}

async function findRoles(
  { memberships }: Pick<StateStores, 'memberships'>,
  accountId: string,
  reviews: ReviewRecord[],
): Promise<Map<string, Role>> {
  const roles = await memberships.findRoles(accountId, [...new Set(reviews.map(({ by }) => by.userId))]);
  // The owner of an account's own workspace has no membership.
  return roles.set(accountId, 'owner');
}

/** Returns a proposal in the shape of the API. */
export function toProposal({ record, reviews, revision, changes, state }: CurrentProposal): Proposal {
  const { id, message, reviewers, applyAt, problem, openedAt, openedBy, endedAt, endedBy, result } = record;
  return {
    ...{ id, state, revision, message },
    changes: changes.map((change) => toChange(change, state)),
    reviewers,
    reviews: reviews.map(({ revision: reviewed, ...review }) => ({ ...review, current: reviewed === revision })),
    ...{ applyAt, problem, openedAt, openedBy, endedAt, endedBy, result },
  };
}

function toChange(
  { promptId, prompt, label, from, version, found, release, rule, approvers }: CurrentChange,
  state: ProposalState,
): ProposedChange {
  return {
    prompt: { id: promptId, name: prompt?.name ?? '' },
    label,
    from: state === 'applied' ? null : (from ?? null),
    ...(version !== undefined && { version }),
    ...(found && { candidate: found }),
    ...(release && { release }),
    approvals: { required: rule?.approvals ?? 0, given: approvers.length },
  };
}
