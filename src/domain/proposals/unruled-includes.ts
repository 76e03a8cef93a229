import { findPinnedVersion } from '../../contract/label-names.ts';
import type { UnruledInclude } from '../../contract/proposals.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../actor.ts';
import { maxIncludes } from '../prompts/includes/include-graph.ts';
import { loadIncludes } from '../prompts/includes/load-includes.ts';
import { parseStoredAnalysis } from '../prompts/versions/version-content.ts';
import { type IncludeReference, includeKey } from '../templates/template-types.ts';
import { versionsToApprove } from './proposal-facts.ts';
import type { CurrentChange } from './proposal-state.ts';

/**
 * Lists the prompts that the proposed content includes, directly or indirectly, at labels without a rule. Their content can change without
 * an approval, so reviewers need to know which prompts these are.
 */
export async function listUnruledIncludes(
  stores: Pick<PromptStores, 'versions' | 'candidates'>,
  actor: Actor,
  change: CurrentChange,
  labelRules: object,
): Promise<UnruledInclude[]> {
  const direct = await listIncludes(stores, actor, change);
  const { partials } = await loadIncludes(stores, actor, direct, { content: false });
  const all = [...direct, ...[...partials.values()].flatMap((included) => included.partials)];
  const isFixed = (label: string) => findPinnedVersion(label) !== undefined;
  const unruled = all.filter(({ label }) => !isFixed(label) && !Object.hasOwn(labelRules, label));
  const distinct = new Map(unruled.map(({ name, label }) => [includeKey({ name, label }), { prompt: name, label }]));
  // The limit hides no include, because a version with more includes cannot be rendered.
  return [...distinct.values()].slice(0, maxIncludes);
}

async function listIncludes(
  { versions, candidates }: Pick<PromptStores, 'versions' | 'candidates'>,
  { workspaceId }: Actor,
  change: CurrentChange,
): Promise<IncludeReference[]> {
  const { promptId, found, from } = change;
  const candidate = found && (await candidates.find({ accountId: workspaceId, promptId }, found.id));
  const proposed = await versions.list(workspaceId, promptId, versionsToApprove(change, from));
  return [...(candidate ? [candidate] : []), ...proposed].flatMap((record) => parseStoredAnalysis(record).partials);
}
