import type { HistoryEntry, Overridden } from '../../../contract/history.ts';
import type { LabelRule } from '../../../contract/label-rules.ts';
import type { NewProposal } from '../../../contract/proposals.ts';
import { includesRole, type Role } from '../../../contract/roles.ts';
import { AppError } from '../../../errors.ts';
import type { PromptOwner } from '../../../store/prompts/prompt-owner.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { ReleaseRecord } from '../../../store/prompts/releases.ts';
import type { Actor } from '../../actor.ts';
import { findCasesDigest } from '../../cases/cases.ts';
import { digestContent } from '../versions/content-digest.ts';
import { hasPins, havePinsChanged, type Moment } from './changed-pins.ts';

type RuleStores = Pick<PromptTransaction, 'gatedLabels' | 'labelRules' | 'cases' | 'checks' | 'history' | 'references' | 'versions'>;

interface LabelMove {
  prompt: { id: string; name: string };
  label: string;
  version: number;
  /**
   * The kind of move. Earlier moves of the label to the version count only for `move` and `batch`. For `batch`, an earlier move does not
   * replace an approval if the version includes prompts by version number, because the same batch may save these prompts, and they cannot
   * be read before the end of its transaction.
   */
  by: 'move' | 'batch' | 'save' | 'copy' | 'restore';
  /** Whether the move was approved as part of a proposal, or restores an approved state. */
  isApproved?: boolean | undefined;
  /** The reason for the override. */
  override?: string | undefined;
}

/** The lowest role that may move a gated label without passing checks. */
const gateOverrider: Role = 'admin';

/**
 * Throws `checks_required` if a label requires passing checks and the version has no passing check run with the prompt's current test
 * cases, and `approval_required` if moving the label requires a proposal. A prompt without test cases passes. A label may return to every
 * version at which it pointed earlier, because a rollback during an outage cannot wait for checks or for other people. However, if the
 * version includes other prompts by version number, the included content must be unchanged since then. This function runs inside the
 * transaction of the move, so test cases and rules cannot change before the transaction ends. If a rule was overridden, returns the kind of
 * rule and the reason.
 */
export async function authorizeMove(stores: RuleStores, actor: Actor, move: LabelMove): Promise<Override | undefined> {
  const { prompt, label, version, by, override } = move;
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const rule = move.isApproved ? undefined : findRule(stores, label);
  const gate = stores.gatedLabels.includes(label) ? await findClosedGate(stores, owner, version) : undefined;
  if (!rule && !gate) return undefined;
  const isMove = by === 'move' || by === 'batch';
  const earlier = isMove ? await findEarlierMoves(stores, owner, { label, version, by }) : undefined;
  const isOpen = (!gate || earlier?.last !== undefined) && (!rule || earlier?.underThisName !== undefined);
  // The reason for the earlier override is recorded again. Otherwise, the history would suggest that this version passed its checks.
  if (isOpen) return toOverride(earlier?.last);
  if (override === undefined) {
    if (rule && !earlier?.underThisName) throw approvalRequired(move);
    throw new AppError('checks_required', { text: describeGate(move, gate?.caseCount ?? 0) });
  }
  const act = by === 'restore' ? `restore a prompt with the label "${label}"` : `move the label "${label}"`;
  if (gate) assertOverrider(actor, gateOverrider, `${act} without passing checks`);
  if (rule) assertRuleOverrider(actor, rule, `${act} without a proposal`);
  const overridden: Overridden = [
    ...(rule && !earlier?.underThisName ? (['approval'] as const) : []),
    ...(gate && !earlier?.last ? (['checks'] as const) : []),
  ];
  return { override, overridden };
}

/** Finds the rule of a label that requires proposals. */
export function findRule({ labelRules }: Pick<PromptTransaction, 'labelRules'>, label: string): LabelRule | undefined {
  return Object.hasOwn(labelRules, label) ? labelRules[label] : undefined;
}

/** Returns how many test cases a version has to pass, or undefined if it has passed them. */
async function findClosedGate(stores: RuleStores, owner: PromptOwner, version: number): Promise<{ caseCount: number } | undefined> {
  const cases = await findCasesDigest(stores, owner);
  if (!cases) return undefined;
  const record = await stores.versions.find(owner.accountId, owner.promptId, version);
  const contentDigest = record && digestContent(record);
  const hasPassed = await stores.checks.havePassed(owner, { version, contentDigest, casesDigest: cases.digest });
  return hasPassed ? undefined : { caseCount: cases.count };
}

type EarlierMove = Pick<HistoryEntry, 'override' | 'overridden'>;

/** The fields of a history entry that say why a rule did not apply. */
export type Override = EarlierMove & { override: string };

function toOverride({ override, overridden }: EarlierMove = {}): Override | undefined {
  return override === undefined ? undefined : { override, ...(overridden && { overridden }) };
}

/**
 * Finds an earlier move of the label to the version. Prefers a move without an override. If there is none, returns the last move with an
 * override. Moves of the prompt from which this prompt was copied do not count, because other rules may have applied to them.
 * `underThisName` is an earlier move that was made in this workspace after the prompt got its current name. Without this condition,
 * renaming a prompt would bring its content to the callers of another prompt.
 */
async function findEarlierMoves(
  stores: Pick<PromptTransaction, 'history' | 'references'>,
  owner: PromptOwner,
  { label, version, by }: { label: string; version: number; by: 'move' | 'batch' },
): Promise<{ last: EarlierMove | undefined; underThisName: EarlierMove | undefined }> {
  // The detail was written by `recordEvent`, or comes from an import, whose entries have been validated.
  const found = (await stores.history.listMoves(owner, { label, version })).map(({ detail, ...move }) => ({
    ...(JSON.parse(detail) as Omit<HistoryEntry, keyof Moment>),
    ...move,
  }));
  const moves = found.filter((move) => move.label === label && move.to === version && !move.copied);
  const choose = (chosen: EarlierMove[]) => chosen.find(({ override }) => override === undefined) ?? chosen[0];
  const own = moves.filter(({ isOwn, isUnderThisName }) => isOwn && isUnderThisName);
  const mayDiffer = (since: Moment) =>
    by === 'batch' ? hasPins(stores, owner, version) : havePinsChanged(stores, owner, { version, since });
  const isSame = own[0] && !(await mayDiffer(own[0]));
  return { last: choose(moves), underThisName: isSame ? choose(own) : undefined };
}

/** Returns whether a release has as many approvals as the rule of its label requires now. The rule may be newer than the release. */
export function hasApprovals(stores: Pick<PromptTransaction, 'labelRules'>, label: string, approved: { approvals: number } | undefined) {
  return approved !== undefined && approved.approvals >= (findRule(stores, label)?.approvals ?? 0);
}

/**
 * Returns the error if a release must not bring its versions to more callers, because they were never live and lack the passed checks or
 * the approvals that the label requires now. The rules may be newer than the release.
 */
export async function findWideningError(
  stores: RuleStores,
  { prompt, release: { accountId, label, split, plan } }: { prompt: LabelMove['prompt']; release: ReleaseRecord },
): Promise<AppError | undefined> {
  const needsApproval = findRule(stores, label) !== undefined && !hasApprovals(stores, label, plan.approved);
  const isGated = stores.gatedLabels.includes(label);
  if (plan.isOverridden || !(needsApproval || isGated)) return undefined;
  const owner = { accountId, promptId: prompt.id };
  for (const { version } of split.arms) {
    const { last, underThisName } = await findEarlierMoves(stores, owner, { label, version, by: 'move' });
    const move: LabelMove = { prompt, label, version, by: 'move' };
    if (needsApproval && !underThisName) return approvalRequired(move);
    const gate = isGated && !last ? await findClosedGate(stores, owner, version) : undefined;
    if (gate) return new AppError('checks_required', { text: describeGate(move, gate.caseCount) });
  }
  return undefined;
}

/**
 * Checks the gates for a prompt in the bin, whose labels are restored with it. Content that was live needs no approval, because the
 * versions that it includes by number cannot be replaced while the prompt is in the bin (`assertNotPinned`).
 */
export async function assertRestorable(
  stores: RuleStores & Pick<PromptTransaction, 'labels'>,
  actor: Actor,
  prompt: { id: string; name: string },
  override: string | undefined,
): Promise<Override | undefined> {
  let reason: Override | undefined;
  for (const [label, version] of await stores.labels.list(actor.workspaceId, prompt.id)) {
    reason = (await authorizeMove(stores, actor, { prompt, label, version, by: 'restore', isApproved: true, override })) ?? reason;
  }
  return reason;
}

/**
 * Throws unless the actor may rename a prompt. A new name brings the labeled versions to other callers, so renaming requires the role that
 * may move the labels without a proposal.
 */
export async function assertRenamable(
  stores: Pick<PromptTransaction, 'labels' | 'labelRules'>,
  actor: Actor,
  { id }: { id: string },
): Promise<void> {
  for (const label of (await stores.labels.list(actor.workspaceId, id)).keys()) {
    const rule = findRule(stores, label);
    if (rule) assertRuleOverrider(actor, rule, `rename a prompt with the label "${label}", which requires proposals`);
  }
}

/**
 * Throws unless the actor may import labels. An import restores labels without proposals, so it requires the role that may move the labels
 * without a proposal.
 */
export function assertImportable(stores: Pick<PromptTransaction, 'labelRules'>, actor: Actor, label: string): void {
  const rule = findRule(stores, label);
  if (rule) assertRuleOverrider(actor, rule, `import a prompt with the label "${label}", which requires proposals`);
}

/** Throws `forbidden` if the actor may not override a rule. */
export function assertRuleOverrider(actor: Actor, { override }: LabelRule, act: string): void {
  if (override === 'nobody') throw new AppError('forbidden', { text: `The rules of this workspace allow nobody to ${act}.` });
  assertOverrider(actor, override, act);
}

function assertOverrider(actor: Actor, required: Role, act: string): void {
  if (includesRole(actor.role, required)) return;
  throw new AppError('forbidden', { text: `You need the role "${required}" to ${act}. Your role is "${actor.role}".` });
}

/** Creates the error if moving a label requires a proposal. The error contains the body of a request that proposes the move. */
export function approvalRequired({ prompt, label, version, by }: LabelMove): AppError {
  const rule = `Moving the label "${label}" requires a proposal`;
  if (by === 'save' || by === 'copy') {
    const what = by === 'copy' ? 'Copy the prompt without the label' : 'Save the version without the label';
    return new AppError('approval_required', { text: `${rule}. ${what}, then propose to move the label with POST /api/proposals.` });
  }
  const proposal: NewProposal = { changes: [{ prompt: prompt.name, label, version }] };
  return new AppError('approval_required', { text: `${rule}. Propose the move with POST /api/proposals.`, proposal });
}

/** Explains which checks have not passed, and what the caller can do about it. */
function describeGate({ prompt, label, version, by }: LabelMove, caseCount: number): string {
  const rule = `The label "${label}" requires passing checks`;
  const run = `POST /api/prompts/${encodeURIComponent(prompt.name)}/checks`;
  if (by === 'save') {
    return `${rule}, and a new version has not passed any. Save it without the label, run the test cases with ${run}, then move the label.`;
  }
  const cases = caseCount === 1 ? 'the current test case of this prompt' : `the ${caseCount} current test cases of this prompt`;
  const missing = `version ${version} has not passed ${cases}`;
  if (by === 'restore') return `${rule}, but ${missing}. An admin can restore the prompt by giving a reason (override).`;
  return `${rule}, but ${missing}. Run ${caseCount === 1 ? 'it' : 'them'} with ${run}, or ask an admin to override the check by giving a reason.`;
}
