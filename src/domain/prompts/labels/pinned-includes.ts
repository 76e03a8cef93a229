import { pinOf } from '../../../contract/label-names.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { PinningVersion } from '../../../store/prompts/references.ts';
import type { Actor } from '../../actor.ts';
import { versionsOf } from '../../releases/release-choice.ts';
import { describeInclude } from '../includes/find-includes.ts';
import { assertRuleOverrider, findRule } from './authorize-move.ts';

/**
 * The maximum number of versions that a change reads. It is small, because other changes to the workspace wait until the change is done.
 */
const maxPinning = 120;

interface PinnedName {
  name: string;
  /** The version that is added to the prompt. If absent, all versions are checked. */
  version?: number;
  /** The end of the sentence "You need the role … to". */
  act: string;
}

/**
 * Throws `forbidden` if a change would replace content that is live under a label that requires proposals. This happens if a live version
 * includes another prompt by version number, directly or indirectly, and the change either adds the version with this number or gives
 * another prompt the name of the included prompt.
 */
export async function assertNotPinned(
  stores: Pick<PromptTransaction, 'labelRules' | 'references' | 'releases'>,
  actor: Actor,
  { name, version, act }: PinnedName,
): Promise<void> {
  const labels = Object.keys(stores.labelRules);
  if (labels.length === 0) return;
  const targets = [{ name, label: version === undefined ? undefined : pinOf(version) }];
  const known = new Set<string>();
  let left = maxPinning;
  for (const target of targets) {
    const found = await stores.references.listPinning(actor.workspaceId, target, { labels, limit: left + 1 });
    left -= found.length;
    // One of the versions that were not read may have any of these labels.
    if (left < 0) {
      for (const rule of Object.values(stores.labelRules))
        assertRuleOverrider(actor, rule, `${act}, because too many prompts include it to check them all`);
      return;
    }
    for (const { include, label } of await findPointers(stores, actor, found)) {
      const why = `${describeInclude({ ...include, prompt: target.name })} in a version that callers of the label "${label}" get`;
      const ruled = findRule(stores, label);
      if (ruled) assertRuleOverrider(actor, ruled, `${act}, because ${why}, and this label requires proposals`);
    }
    for (const include of found) {
      const next = { name: include.name, label: pinOf(include.version) };
      const key = JSON.stringify(next);
      if (!known.has(key)) targets.push(next);
      known.add(key);
    }
  }
}

/** Finds the labels whose callers get one of these versions, even if a release gives it to only some of the callers. */
async function findPointers(
  { releases }: Pick<PromptTransaction, 'releases'>,
  { workspaceId }: Actor,
  found: PinningVersion[],
): Promise<{ include: PinningVersion; label: string }[]> {
  const active = await releases.listActive(workspaceId, [...new Set(found.map(({ promptId }) => promptId))]);
  return found.flatMap((include) => {
    const released = active.filter(({ promptId, split }) => promptId === include.promptId && versionsOf(split).includes(include.version));
    return [...include.pointers, ...released.map(({ label }) => label)].map((label) => ({ include, label }));
  });
}
