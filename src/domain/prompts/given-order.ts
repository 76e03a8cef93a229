import type { Prompt } from '../../contract/prompts.ts';
import type { Version } from '../../contract/versions.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../actor.ts';

/** Puts a prompt's tags and the labels of its version in the order in which they were given, for programs that depend on this order. */
export async function orderAsGiven(
  { prompts }: Pick<PromptStores, 'prompts'>,
  { workspaceId }: Actor,
  { prompt, version }: { prompt: Prompt; version: Version },
): Promise<{ prompt: Prompt; version: Version }> {
  const order = (await prompts.listGivenOrder(workspaceId, [prompt.id])).get(prompt.id);
  return {
    prompt: { ...prompt, tags: sortLike(prompt.tags, order?.tags) },
    version: { ...version, labels: sortLike(version.labels, order?.labels) },
  };
}

/** Sorts names in the given order. Names that the order does not contain come last. */
export function sortLike(names: string[], order: string[] = []): string[] {
  const ranks = new Map(order.map((name, rank) => [name, rank]));
  const rankOf = (name: string) => ranks.get(name) ?? order.length;
  return names.toSorted((one, other) => rankOf(one) - rankOf(other));
}
