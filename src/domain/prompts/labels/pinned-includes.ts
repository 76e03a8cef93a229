import { pinOf } from '../../../contract/label-names.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../../actor.ts';
import { budgetOfChange, describeInclude, findIncludes } from '../includes/find-includes.ts';
import { assertRuleOverrider, findRule } from './authorize-move.ts';

/**
 * Throws `forbidden` if a version would become part of another prompt that is live under a label which moves only by proposals. This happens
 * if that prompt includes a version by its number, and the included prompt was deleted or renamed: another prompt with its name would bring
 * its own content there. Without a number, all versions of the prompt are checked.
 */
export async function assertNotPinned(
  stores: Pick<PromptTransaction, 'labelRules' | 'references'>,
  actor: Actor,
  { id, name, version }: { id: string; name: string; version?: number },
): Promise<void> {
  const { workspaceId } = actor;
  const [rule] = Object.values(stores.labelRules);
  if (!rule) return;
  const target = { name, label: version === undefined ? undefined : pinOf(version) };
  if ((await stores.references.listIncluded(workspaceId, [target])).length === 0) return;
  const budget = { ...budgetOfChange };
  const act = version === undefined ? `give a prompt the name "${name}"` : `save version ${version} of "${name}"`;
  for await (const include of findIncludes(stores.references, workspaceId, target, budget)) {
    const found = include.label.startsWith('@') && include.promptId !== id ? findRule(stores, include.pointer) : undefined;
    const why = `: ${describeInclude(include)}, in the version with the label "${include.pointer}", which moves only by proposals`;
    if (found) assertRuleOverrider(actor, found, `${act}${why}`);
  }
  // If there are too many includes to check them all, one of them may have such a label.
  if (budget.promptsLeft < 0) assertRuleOverrider(actor, rule, `${act}, because too many prompts include it to check them all`);
}
