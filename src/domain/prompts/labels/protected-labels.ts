import { includesRole, type Role } from '../../../contract/roles.ts';
import { AppError } from '../../../errors.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../../actor.ts';

/** The lowest role that may move a protected label. */
const requiredRole: Role = 'deployer';

interface LabelChange {
  labels: Iterable<string>;
  /** The end of the sentence "You need the role … to". */
  to: string;
  /** A sentence that says what to do instead. */
  instead?: string | undefined;
}

/**
 * Throws `forbidden` if a change concerns a protected label and the actor's role is too low. Runs inside the transaction of the change. A
 * label that is being protected at the same time becomes protected either after the change or before this check.
 */
export function assertLabelsAllowed(stores: Pick<PromptTransaction, 'protectedLabels'>, actor: Actor, change: LabelChange): void {
  for (const label of change.labels) {
    if (isLabelAllowed(stores, actor, label)) continue;
    const text = `The label "${label}" is protected. You need the role "${requiredRole}" to ${change.to}. Your role is "${actor.role}".`;
    throw new AppError('forbidden', { text: change.instead === undefined ? text : `${text} ${change.instead}` });
  }
}

/** Returns whether the actor's role is high enough to move a label. */
export function isLabelAllowed({ protectedLabels }: Pick<PromptTransaction, 'protectedLabels'>, { role }: Actor, label: string): boolean {
  return !protectedLabels.includes(label) || includesRole(role, requiredRole);
}

/** Checks a change to a whole prompt, which concerns all its labels. */
export async function assertPromptAllowed(
  stores: Pick<PromptTransaction, 'labels' | 'protectedLabels'>,
  actor: Actor,
  { promptId, to }: { promptId: string; to: string },
): Promise<void> {
  if (stores.protectedLabels.length === 0 || includesRole(actor.role, requiredRole)) return;
  const labels = await stores.labels.list(actor.workspaceId, promptId);
  assertLabelsAllowed(stores, actor, { labels: labels.keys(), to });
}
