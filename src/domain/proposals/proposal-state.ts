import { hash } from 'node:crypto';
import type { LabelRule } from '../../contract/label-rules.ts';
import { type MyApproval, type Proposal, type ProposalState, type ProposedChange, storedProposalStates } from '../../contract/proposals.ts';
import { includesRole, type Role } from '../../contract/roles.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { ProposalRecord, ReviewRecord, StoredChange } from '../../store/prompts/proposals.ts';
import type { Actor } from '../actor.ts';
import {
  findFacts,
  keyOf,
  type ProposalFacts,
  type Rules,
  type StateStores,
  type StoredProposal,
  versionsToApprove,
} from './proposal-facts.ts';

/**
 * Why someone may not approve a change: they wrote the content, opened the proposal, or have the key of a service account that wrote or
 * opened it.
 */
export type Exclusion = 'wrote' | 'opened' | 'holds_key';

/** One of a proposal's changes, together with the facts that apply to it now. */
export interface CurrentChange extends StoredChange {
  /** Undefined if the prompt is deleted. */
  prompt: PromptRecord | undefined;
  /** The version at which the label points. */
  from: number | undefined;
  found: { id: string; title: string; revision: number } | undefined;
  /** Whether the change cannot be made, because the prompt or the proposed content was deleted. */
  isGone: boolean;
  rule: LabelRule | undefined;
  /** Who may not approve the change, and why. */
  authors: ReadonlyMap<string, Exclusion>;
  /** The people whose approvals count. */
  approvers: string[];
}

/** The current state of a proposal. */
export interface CurrentProposal {
  record: ProposalRecord;
  reviews: ReviewRecord[];
  revision: string;
  changes: CurrentChange[];
  state: ProposalState;
}

/**
 * Finds the changes that proposals would make now, and the people who have approved exactly these changes. The revision is a digest of
 * everything on which an approval depends. An approval counts only for the current revision, and only while the reviewer may move the
 * label. Approvals therefore need no update when a candidate, a label, a test case or a role changes.
 */
export async function inspectProposals(
  stores: StateStores,
  rules: Rules,
  { accountId, proposals }: { accountId: string; proposals: StoredProposal[] },
): Promise<CurrentProposal[]> {
  const facts = await findFacts(stores, rules, { accountId, proposals });
  return proposals.map((proposal) => inspect(rules, facts, proposal));
}

export async function inspectProposal(stores: StateStores, rules: Rules, { record, reviews }: StoredProposal): Promise<CurrentProposal> {
  const facts = await findFacts(stores, rules, { accountId: record.accountId, proposals: [{ record, reviews }] });
  return inspect(rules, facts, { record, reviews });
}

function inspect(rules: Rules, facts: ProposalFacts, { record, reviews }: StoredProposal): CurrentProposal {
  const changes = record.changes.map((change) => toCurrent(rules, facts, record, change));
  const approving = reviews.filter((review) => review.verdict === 'approve');
  const isOpen = record.state === 'open';
  const decision = reviews.at(-1);
  const revision = isOpen || !decision ? digestChanges(rules, facts, changes) : decision.revision;
  // Nobody can review a proposal that has too many includes to read.
  const isReviewable = !isOpen || listPins(facts, changes) !== undefined;
  const current = isReviewable ? approving.filter((review) => review.revision === revision) : [];
  for (const change of changes) {
    const counted = isOpen
      ? current.filter(({ by }) => mayReview(rules, facts.roles.get(by.userId), change) && isIndependent(change, by.userId))
      : current;
    change.approvers = [...new Set(counted.map(({ by }) => by.userId))];
  }
  return { record, reviews, revision, changes, state: toState(record, changes, approving.length > 0) };
}

function toCurrent(
  { labelRules }: Rules,
  { prompts, labels, candidates, authors, keyHolders }: ProposalFacts,
  { openedBy, state }: ProposalRecord,
  change: StoredChange,
): CurrentChange {
  const { promptId, label } = change;
  const prompt = prompts.get(promptId);
  const from = prompt && labels.get(promptId)?.get(label);
  const candidate = prompt && candidates.get(change.candidate ?? '');
  const found = candidate?.promptId === promptId ? candidate : undefined;
  const versions = versionsToApprove(change, from).map((version) => authors.get(keyOf(promptId, version)));
  const wrote = [...(found?.authors ?? []), ...versions.flatMap((each) => each ?? [])];
  const isDeleted = !prompt || (change.candidate !== undefined && !found) || versions.includes(undefined);
  const isGone = state === 'open' && isDeleted;
  const rule = Object.hasOwn(labelRules, label) ? labelRules[label] : undefined;
  return { ...change, prompt, from, found, isGone, rule, authors: excludeAuthors(openedBy.userId, wrote, keyHolders), approvers: [] };
}

/** Finds who may not approve a change. Anyone who has received the key of a service account can write and propose in its name. */
function excludeAuthors(opener: string, wrote: string[], keyHolders: Map<string, string[]>): Map<string, Exclusion> {
  const excluded = new Map<string, Exclusion>([...wrote.map((id) => [id, 'wrote'] as const), [opener, 'opened']]);
  // The loop also visits the entries that it adds.
  for (const id of excluded.keys())
    for (const holder of keyHolders.get(id) ?? []) if (!excluded.has(holder)) excluded.set(holder, 'holds_key');
  return excluded;
}

/** Lists what the proposed contents include by version number. */
function listPins(facts: ProposalFacts, changes: CurrentChange[]): unknown[] | undefined {
  const contents = changes.flatMap((change) => [
    ...(change.found ? [change.found.id] : []),
    ...versionsToApprove(change, change.from).map((version) => ({ promptId: change.promptId, version })),
  ]);
  return facts.listPins(contents);
}

function digestChanges({ gatedLabels }: Rules, facts: ProposalFacts, changes: CurrentChange[]): string {
  const { releases, cases } = facts;
  const described: unknown[] = changes.map(({ promptId, prompt, label, version, release, found, from }) => [
    promptId,
    // The name decides which callers get the content. If the digest did not contain it, an approved prompt could take the place of another
    // one.
    prompt?.name,
    label,
    version,
    release,
    found?.id,
    found?.revision,
    from,
    releases.get(keyOf(promptId, label))?.split.id ?? null,
    gatedLabels.includes(label) ? cases.get(promptId) : undefined,
  ]);
  const pins = listPins(facts, changes) ?? [];
  return hash('sha256', JSON.stringify(pins.length === 0 ? described : [...described, pins]), 'base64url').slice(0, 22);
}

/** Returns whether the rule of the label allows an approval by this account to count. */
export function isIndependent({ rule, authors }: CurrentChange, userId: string): boolean {
  return rule?.authorMayApprove === true || !authors.has(userId);
}

/** Returns whether someone with this role may approve a change. The roles that may move the label may also approve the change. */
export function mayReview({ protectedLabels }: Pick<Rules, 'protectedLabels'>, role: Role | undefined, { label }: StoredChange): boolean {
  return role !== undefined && includesRole(role, protectedLabels.includes(label) ? 'deployer' : 'editor');
}

/** Returns whether all rules are satisfied. */
export function isApproved(changes: CurrentChange[]): boolean {
  return changes.every(({ rule, approvers }) => approvers.length >= (rule?.approvals ?? 0));
}

function toState({ state, applyAt }: ProposalRecord, changes: CurrentChange[], wasApproved: boolean): ProposalState {
  if (state !== 'open') return state;
  if (changes.some(({ isGone }) => isGone)) return 'stale';
  if (isApproved(changes)) return applyAt === null ? 'approved' : 'scheduled';
  return wasApproved && changes.every(({ approvers }) => approvers.length === 0) ? 'stale' : 'open';
}

/** Returns a proposal in the shape of the API, with what a person or program can do about it. */
export function toProposal(current: CurrentProposal, rules: Rules, viewer: Viewer): Proposal {
  const { record, reviews, revision, changes, state } = current;
  const { id, message, reviewers, applyAt, problem, openedAt, openedBy, endedAt, endedBy, result } = record;
  return {
    ...{ id, state, revision, message },
    changes: changes.map((change) => toChange(change, state)),
    reviewers,
    myApproval: judgeApproval(current, rules, viewer),
    reviews: reviews.map(({ revision: reviewed, ...review }) => ({ ...review, current: reviewed === revision })),
    ...{ applyAt, problem, openedAt, openedBy, endedAt, endedBy, result },
  };
}

/** Who looks at a proposal. */
export interface Viewer {
  userId: string;
  role: Role;
  /** Whether this is a service account. */
  isProgram: boolean;
}

export async function findViewer(
  { memberships }: Pick<StateStores, 'memberships'>,
  { workspaceId, accountId, role, via }: Actor,
): Promise<Viewer> {
  // A service account has no sessions, so only a request with a key needs a query.
  const isProgram = via === 'key' && (await memberships.findKeyHolders(workspaceId, [accountId])).has(accountId);
  return { userId: accountId, role, isProgram };
}

/** Finds out whether the viewer's approval counts, or would count if the viewer approved. If it does not count, says why. */
export function judgeApproval({ reviews, revision, changes, state }: CurrentProposal, rules: Rules, viewer: Viewer): MyApproval {
  const { userId, role, isProgram } = viewer;
  const isGiven = reviews.some((review) => review.verdict === 'approve' && review.revision === revision && review.by.userId === userId);
  const refuse = (reason: MyApproval['reason']) => ({ given: isGiven, counts: false, reason });
  if (endStates.has(state)) return refuse('ended');
  if (isProgram) return refuse('program');
  if (!changes.every((change) => mayReview(rules, role, change))) return refuse('role');
  const needed = changes.filter(({ rule }) => rule && rule.approvals > 0);
  if (needed.length === 0) return refuse('not_needed');
  if (needed.some((change) => isIndependent(change, userId))) return { given: isGiven, counts: true, reason: null };
  return refuse(needed[0]?.authors.get(userId) ?? null);
}

const endStates: ReadonlySet<ProposalState> = new Set(storedProposalStates.filter((state) => state !== 'open'));

function toChange(
  { promptId, prompt, label, from, version, found, isGone, release, rule, approvers }: CurrentChange,
  state: ProposalState,
): ProposedChange {
  return {
    prompt: { id: promptId, name: prompt?.name ?? '' },
    label,
    from: state === 'applied' ? null : (from ?? null),
    ...(version !== undefined && !isGone && { version }),
    ...(found && { candidate: { id: found.id, title: found.title, revision: found.revision } }),
    ...(release && { release }),
    approvals: { required: rule?.approvals ?? 0, given: approvers.length },
  };
}
