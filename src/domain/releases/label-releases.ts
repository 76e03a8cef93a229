import type { LabelRelease } from '../../contract/releases.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';

/** Reads the last release of each label of the given prompts, by prompt id. */
export async function readLabelReleases(
  { releases }: Pick<PromptStores, 'releases'>,
  workspaceId: string,
  promptIds: string[],
): Promise<Map<string, Record<string, LabelRelease>>> {
  const byPrompt = Map.groupBy(await releases.list(workspaceId, promptIds), ({ promptId }) => promptId);
  return new Map(
    [...byPrompt].map(([id, found]) => [id, Object.fromEntries(found.map((record) => [record.label, toLabelRelease(record)]))]),
  );
}

function toLabelRelease({ split: { id, control, arms }, state, changedAt }: ReleaseRecord): LabelRelease {
  return { id, state, control, arms: [...arms], changedAt };
}
