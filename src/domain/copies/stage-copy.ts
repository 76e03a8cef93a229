import type { CopyPath, PromptExtents } from '../../store/prompts/copy.ts';
import type { WithStore } from '../../store/store.ts';
import { newId } from '../ids.ts';
import { changePrompts, type PromptChangeStores, type WithChanges, type WithLargeChanges } from '../prompts/change-prompts.ts';
import { stagingTime } from '../prompts/prompts.ts';
import { maxRows, maxVersions } from '../transfer/batch-drafts.ts';
import type { Copy } from './copy.ts';

/** A copy that nobody can see yet. */
export interface StagedCopy {
  promptId: string;
  stagedAt: string;
  /** The state of the source before its rows were copied. */
  extents: PromptExtents;
}

/** The position up to which the rows have been copied. */
interface Position {
  version: number | undefined;
  event: string | undefined;
}

/**
 * Copies the rows of a prompt to a new prompt that nobody can see, with a limited number of rows per transaction. For most prompts, one
 * transaction is enough. `publishCopy` later checks whether the prompt was changed in the meantime.
 */
export async function stageCopy(ctx: WithStore & WithChanges & WithLargeChanges, copy: Copy): Promise<StagedCopy> {
  const { source, actor, target } = copy;
  const from = { accountId: actor.workspaceId, promptId: source.id };
  const path: CopyPath = { from, to: { accountId: target.workspaceId, promptId: newId('p') }, copiedBy: actor.accountId };
  const extents = await ctx.store.read(from.accountId).copies.findExtents(from);
  const isLarge = extents.versions > maxVersions || extents.events > maxRows;
  const stagedAt = stagingTime(new Date());

  async function copyBatch(position: Position | undefined): Promise<Position> {
    const work = () =>
      changePrompts(ctx, target, async (stores) => {
        if (!position) await insertPrompt(stores, copy, path, stagedAt);
        return copyRows(stores, path, position ?? { version: 0, event: '' });
      });
    return isLarge ? ctx.largeChanges.run(target.workspaceId, work) : work();
  }

  try {
    let position = await copyBatch(undefined);
    while (position.version !== undefined || position.event !== undefined) position = await copyBatch(position);
  } catch (err) {
    await ctx.store.removeStagedPrompt(path.to.accountId, path.to.promptId).catch(() => undefined);
    throw err;
  }
  return { promptId: path.to.promptId, stagedAt, extents };
}

async function insertPrompt(
  { prompts, copies }: PromptChangeStores,
  { source, name }: Copy,
  path: CopyPath,
  stagedAt: string,
): Promise<void> {
  await prompts.insert(path.to.accountId, { ...source, id: path.to.promptId, name, deletedAt: stagedAt });
  await copies.copyCases(path);
}

/** Copies the next rows. The history comes after the versions. */
async function copyRows({ copies }: PromptChangeStores, path: CopyPath, { version, event }: Position): Promise<Position> {
  const nextVersion = version === undefined ? undefined : await copies.copyVersions(path, { after: version, limit: maxVersions });
  if (nextVersion !== undefined || event === undefined) return { version: nextVersion, event };
  return { version: undefined, event: await copies.copyEvents(path, { after: event, limit: maxRows }) };
}
