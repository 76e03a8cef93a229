import { includesRole, type Role } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import type { PromptTransaction } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { findCasesDigest } from '../models/cases.ts';

/** The smallest role that may move a gated label without passing checks. */
const overridingRole: Role = 'admin';

interface LabelMove {
  prompt: { id: string; name: string };
  label: string;
  version: number;
  /** Why it is moved without passing checks. */
  override: string | undefined;
}

/**
 * Throws `checks_required` if a label wants passing checks and the version has no passing run of the prompt's current cases. A prompt
 * without cases has nothing to pass. Runs inside the transaction of the move: cases and gates cannot change before it ends. Returns the
 * reason if the gate was overridden.
 */
export async function assertChecksPassed(
  stores: Pick<PromptTransaction, 'gatedLabels' | 'cases' | 'checks'>,
  actor: Actor,
  { prompt, label, version, override }: LabelMove,
): Promise<string | undefined> {
  if (!stores.gatedLabels.includes(label)) return undefined;
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const cases = await findCasesDigest(stores, owner);
  if (!cases || (await stores.checks.havePassed(owner, { version, casesDigest: cases.digest }))) return undefined;
  if (override === undefined) {
    const count = cases.count === 1 ? 'the case' : `the ${cases.count} cases`;
    throw new AppError('checks_required', {
      text:
        `The label "${label}" wants passing checks, and version ${version} has not passed ${count} of this prompt as they are now. ` +
        `Run them with POST /api/prompts/${encodeURIComponent(prompt.name)}/checks, or let an admin override this with a reason.`,
    });
  }
  if (!includesRole(actor.role, overridingRole)) {
    throw new AppError('forbidden', {
      text: `It takes the role "${overridingRole}" to move the label "${label}" without passing checks, and yours is "${actor.role}"`,
    });
  }
  return override;
}

/**
 * Throws `forbidden` if a prompt in the bin has a gated label on a version that has not passed, and the actor may not override that. It
 * cannot pass either while it is in the bin.
 */
export async function assertRestorable(
  stores: Pick<PromptTransaction, 'gatedLabels' | 'cases' | 'checks' | 'labels'>,
  actor: Actor,
  promptId: string,
): Promise<void> {
  if (stores.gatedLabels.length === 0 || includesRole(actor.role, overridingRole)) return;
  const owner = { accountId: actor.workspaceId, promptId };
  const cases = await findCasesDigest(stores, owner);
  if (!cases) return;
  for (const [label, version] of await stores.labels.list(actor.workspaceId, promptId)) {
    if (!stores.gatedLabels.includes(label)) continue;
    if (await stores.checks.havePassed(owner, { version, casesDigest: cases.digest })) continue;
    throw new AppError('forbidden', {
      text:
        `The label "${label}" wants passing checks, and is on version ${version}, which has not passed. It takes the role ` +
        `"${overridingRole}" to restore this prompt, and yours is "${actor.role}"`,
    });
  }
}
