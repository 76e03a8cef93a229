import type { HistoryEntry } from '../../../contract/history.ts';
import { includesRole, type Role } from '../../../contract/roles.ts';
import { AppError } from '../../../errors.ts';
import type { PromptOwner } from '../../../store/prompts/prompt-owner.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../../actor.ts';
import { findCasesDigest } from '../../cases/cases.ts';

/** The lowest role that may move a gated label without passing checks. */
const overridingRole: Role = 'admin';

interface LabelMove {
  prompt: { id: string; name: string };
  label: string;
  version: number;
  /** The kind of move. New versions and new copies cannot have passed checks, and a prompt in the bin cannot be checked. */
  by: 'move' | 'save' | 'copy' | 'restore';
  /** The reason for the override. */
  override?: string | undefined;
}

/**
 * Throws `checks_required` if a label requires passing checks and the version has no passing check run with the prompt's current test
 * cases. A prompt without test cases passes. A label may return to every version at which it pointed earlier, because a rollback during an
 * outage cannot wait for checks or for an admin. This runs inside the transaction of the move, so test cases and gates cannot change
 * before it ends. Returns the reason if the gate was overridden.
 */
export async function assertChecksPassed(
  stores: Pick<PromptTransaction, 'gatedLabels' | 'cases' | 'checks' | 'history'>,
  actor: Actor,
  move: LabelMove,
): Promise<string | undefined> {
  const { prompt, label, version, by, override } = move;
  if (!stores.gatedLabels.includes(label)) return undefined;
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const cases = await findCasesDigest(stores, owner);
  if (!cases || (await stores.checks.havePassed(owner, { version, casesDigest: cases.digest }))) return undefined;
  const earlier = by === 'move' ? await findEarlierMove(stores, owner, { label, version }) : undefined;
  // The reason for the earlier override is recorded again. Otherwise, the history would suggest that this version passed its checks.
  if (earlier) return earlier.override;
  if (override === undefined) throw new AppError('checks_required', { text: describeGate(move, cases.count) });
  if (!includesRole(actor.role, overridingRole)) {
    const act = by === 'restore' ? `restore a prompt with the label "${label}"` : `move the label "${label}"`;
    throw new AppError('forbidden', {
      text: `You need the role "${overridingRole}" to ${act} without passing checks. Your role is "${actor.role}".`,
    });
  }
  return override;
}

/**
 * Finds an earlier move of the label to the version. Prefers a move without an override to the last one with an override. Moves of the
 * prompt from which this one was copied do not count, because other rules may have applied there.
 */
async function findEarlierMove(
  { history }: Pick<PromptTransaction, 'history'>,
  owner: PromptOwner,
  { label, version }: { label: string; version: number },
): Promise<Pick<HistoryEntry, 'override'> | undefined> {
  // The detail was written by `recordEvent`, or comes from an import, whose entries have been validated.
  const found = (await history.listMoves(owner, { label, version })).map((detail) => JSON.parse(detail) as HistoryEntry);
  const moves = found.filter((move) => move.label === label && move.to === version && !move.copied);
  return moves.find(({ override }) => override === undefined) ?? moves[0];
}

/** Checks the gates of a prompt in the bin, whose labels are restored with it. */
export async function assertRestorable(
  stores: Pick<PromptTransaction, 'gatedLabels' | 'cases' | 'checks' | 'history' | 'labels'>,
  actor: Actor,
  prompt: { id: string; name: string },
  override: string | undefined,
): Promise<string | undefined> {
  if (stores.gatedLabels.length === 0) return undefined;
  let reason: string | undefined;
  for (const [label, version] of await stores.labels.list(actor.workspaceId, prompt.id)) {
    reason = (await assertChecksPassed(stores, actor, { prompt, label, version, by: 'restore', override })) ?? reason;
  }
  return reason;
}

/** Describes what is missing, and what to do about it. */
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
