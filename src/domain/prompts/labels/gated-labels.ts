import type { HistoryEntry } from '../../../contract/history.ts';
import { includesRole, type Role } from '../../../contract/roles.ts';
import { AppError } from '../../../errors.ts';
import type { PromptOwner } from '../../../store/prompts/prompt-owner.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../../actor.ts';
import { findCasesDigest } from '../../cases/cases.ts';

/** The smallest role that may move a gated label without passing checks. */
const overridingRole: Role = 'admin';

interface LabelMove {
  prompt: { id: string; name: string };
  label: string;
  version: number;
  /** What brings the label there. A version that is saved with it has not been there before; a prompt in the bin cannot be checked. */
  by: 'move' | 'save' | 'restore';
  /** Why that is done without passing checks. */
  override?: string | undefined;
}

/**
 * Throws `checks_required` if a label wants passing checks and the version has no passing run of the prompt's current cases. A prompt
 * without cases has nothing to pass, and going back to a version that the label pointed at before takes nothing: in an outage, nobody can wait
 * for checks. Runs inside the transaction of the move: cases and gates cannot change before it ends. Returns the reason if the gate was
 * overridden.
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
  if (by === 'move' && (await hasPointedAt(stores, owner, { label, version }))) return undefined;
  if (override === undefined) throw new AppError('checks_required', { text: describeGate(move, cases.count) });
  if (!includesRole(actor.role, overridingRole)) {
    const act = by === 'restore' ? `restore a prompt with the label "${label}"` : `move the label "${label}"`;
    throw new AppError('forbidden', {
      text: `It takes the role "${overridingRole}" to ${act} without passing checks, and yours is "${actor.role}"`,
    });
  }
  return override;
}

async function hasPointedAt(
  { history }: Pick<PromptTransaction, 'history'>,
  { accountId, promptId }: PromptOwner,
  { label, version }: { label: string; version: number },
): Promise<boolean> {
  const moves = await history.listMoves(accountId, promptId);
  return moves.some((detail) => {
    // recordEvent wrote it, or the export of another service, whose entries have been validated.
    const move = JSON.parse(detail) as Pick<HistoryEntry, 'label' | 'from' | 'to'>;
    return move.label === label && (move.from === version || move.to === version);
  });
}

/** The same for a prompt in the bin, whose labels come back with it. */
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

/** What is missing, and what to do about it. */
function describeGate({ prompt, label, version, by }: LabelMove, caseCount: number): string {
  const wants = `The label "${label}" wants passing checks`;
  const run = `POST /api/prompts/${encodeURIComponent(prompt.name)}/checks`;
  if (by === 'save') {
    return `${wants}, and a new version has not passed any. Save it without the label, run the cases with ${run}, then move the label.`;
  }
  const cases = caseCount === 1 ? 'the case of this prompt as it is now' : `the ${caseCount} cases of this prompt as they are now`;
  const missing = `version ${version} has not passed ${cases}`;
  if (by === 'restore') return `${wants}, and ${missing}. An admin can restore the prompt with a reason (override).`;
  return `${wants}, and ${missing}. Run ${caseCount === 1 ? 'it' : 'them'} with ${run}, or let an admin override this with a reason.`;
}
