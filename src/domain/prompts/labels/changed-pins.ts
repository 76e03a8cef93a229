import { findPinnedVersion } from '../../../contract/label-names.ts';
import type { PromptOwner } from '../../../store/prompts/prompt-owner.ts';
import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import { includeKey } from '../../templates/template-types.ts';
import { maxIncludes } from '../includes/include-graph.ts';
import { toStoredName } from '../prompt-records.ts';

export type PinStores = Pick<PromptTransaction, 'references' | 'history'>;

/** The position of an entry in the history. The ids of entries sort by time. */
export interface Moment {
  id: string;
  at: string;
}

/** Returns whether a version includes other prompts by version number. */
export async function hasPins({ references }: PinStores, { accountId, promptId }: PromptOwner, version: number): Promise<boolean> {
  return (await references.listPins(accountId, [{ promptId, version }], 1)).length > 0;
}

/**
 * Returns whether the content that a version includes by version number, directly or indirectly, may have changed since an earlier time.
 * This is the case if an included version was saved since then, or if another prompt got the name of an included prompt. While a version is
 * live, only roles that may override the rule can cause such a change (`assertNotPinned`). Afterwards, everyone can.
 */
export async function havePinsChanged(
  { references, history }: PinStores,
  { accountId, promptId }: PromptOwner,
  { version, since }: { version: number; since: Moment },
): Promise<boolean> {
  const seen = new Set<string>();
  const included: { promptId: string; version: number }[] = [];
  for (let pending = [{ promptId, version }]; pending.length > 0; ) {
    const pins = (await references.listPins(accountId, pending, maxIncludes + 1)).flatMap(({ name, label }) => {
      const pinned = findPinnedVersion(label);
      const key = includeKey({ name, label });
      // A template may contain names that no prompt can have.
      if (pinned === undefined || toStoredName(name) === undefined || seen.has(key)) return [];
      seen.add(key);
      return [{ name, version: pinned }];
    });
    // A version with more includes cannot be rendered.
    if (seen.size > maxIncludes) return true;
    pending = await references.resolvePins(accountId, pins);
    included.push(...pending);
  }
  return history.haveChanged(accountId, included, since);
}
