import { isDeepStrictEqual } from 'node:util';
import type { CopiedPrompt } from '../../contract/copies.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError } from '../../errors.ts';
import type { CopyStores } from '../../store/prompts/prompt-transaction.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, credentialOf } from '../actor.ts';
import { changeAndInform, type PromptChangeStores, type WithChanges } from '../prompts/change-prompts.ts';
import { recordEvent } from '../prompts/history.ts';
import { putLabel } from '../prompts/labels/labels.ts';
import { findRemovalWarnings } from '../prompts/labels/move-warnings.ts';
import { assertNotPinned } from '../prompts/labels/pinned-includes.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { describePrompt, moveToBin } from '../prompts/prompts.ts';
import { assertRole, describeWorkspace, getCurrentRole } from '../workspaces/change-workspace.ts';
import { type Copy, getTargetRole, nameTaken } from './copy.ts';
import type { StagedCopy } from './stage-copy.ts';

interface Publication {
  staged: StagedCopy;
  /** The warnings that were found before the transaction. */
  warnings: Warning[];
  /** Throws if the copy is refused because of warnings. */
  check(warnings: Warning[]): void;
}

/**
 * Makes a staged copy visible and, for a move, moves the original to the bin, in one transaction. Both workspaces and the credential are
 * locked until the commit, and the roles are read inside the transaction, so nobody can copy to or from a workspace after their access has
 * ended. Returns undefined if the original has changed since it was copied, or if the staged copy has been removed.
 */
export async function publishCopy(
  ctx: WithStore & WithChanges,
  copy: Copy,
  { staged, warnings, check }: Publication,
): Promise<CopiedPrompt | undefined> {
  const { actor, target, isMove } = copy;
  const workspaces = { sourceId: actor.workspaceId, targetId: target.workspaceId, isMove, credential: credentialOf(actor) };
  const names = {
    source: (await describeWorkspace(ctx.store, actor.workspaceId)).name,
    target: (await describeWorkspace(ctx.store, target.workspaceId)).name,
  };
  return ctx.changes.run(target.workspaceId, () =>
    ctx.store.copyPrompts(workspaces, async (stores) => {
      const from = { ...actor, role: await getCurrentRole(stores.source, actor) };
      const to = { ...target, role: await getTargetRole(stores.target, target) };
      assertRole(from.role, isMove ? 'editor' : 'viewer');
      if (!(await isComplete(stores, copy, staged)) || !(await publish(stores, copy, staged))) return undefined;
      const { leaving } = stores;
      // These warnings are found before the original is moved, because the move ends its releases.
      const released = await findReleaseWarnings(stores, copy);
      const candidates = await findCandidateWarnings(stores, copy);
      const removal = leaving ? await changeAndInform(leaving, from, (bin) => leave(bin, from, copy, names.target)) : [];
      return changeAndInform(stores.target, to, async (changing) => {
        const labels = await describeCopy({ ...stores, target: changing }, to, copy, { staged, workspace: names.source });
        const all = [...warnings, ...labels, ...released, ...candidates, ...removal];
        check(all);
        const prompt = await describePrompt(changing, to, await getPromptRecord(changing, to, copy.name));
        return { ...prompt, workspace: { id: to.workspaceId, name: names.target }, warnings: all };
      });
    }),
  );
}

/** Returns whether the source is unchanged and the copy contains all its rows. */
async function isComplete({ source, target }: CopyStores, copy: Copy, { promptId, extents }: StagedCopy): Promise<boolean> {
  const current = await source.copies.findExtents({ accountId: copy.actor.workspaceId, promptId: copy.source.id });
  const copied = await target.copies.findExtents({ accountId: copy.target.workspaceId, promptId });
  return isDeepStrictEqual(current, extents) && isDeepStrictEqual(copied, extents);
}

/** Returns false, before anything is changed, if the staged copy has been removed. */
async function publish({ target }: CopyStores, copy: Copy, { promptId, stagedAt }: StagedCopy): Promise<boolean> {
  const { workspaceId } = copy.target;
  if (await target.prompts.find(workspaceId, copy.name)) throw nameTaken(copy.name);
  return target.copies.publish({ accountId: workspaceId, promptId }, { stagedAt, updatedAt: new Date().toISOString() });
}

/** Moves the original to the bin. Returns warnings about prompts in its workspace that can no longer be rendered. */
async function leave(stores: PromptChangeStores, actor: Actor, { source, name }: Copy, workspace: string): Promise<Warning[]> {
  const warnings = await findRemovalWarnings(stores, actor, { prompt: source });
  await moveToBin(stores, actor, source, { type: 'moved_out', to: name, workspace });
  return warnings;
}

/**
 * Adds the tags and labels, and records the origin of the prompt. If the workspace's rules refuse a label, the label is left out, and a
 * warning about it is returned.
 */
async function describeCopy(
  { source: stores, target }: CopyStores & { target: PromptChangeStores },
  actor: Actor,
  { source, actor: from, name, isMove }: Copy,
  { staged, workspace }: { staged: StagedCopy; workspace: string },
): Promise<Warning[]> {
  const [overview] = await stores.prompts.describe(from.workspaceId, [source]);
  if (!overview) throw new AppError('prompt_not_found');
  await target.prompts.replaceTags(actor.workspaceId, staged.promptId, overview.tags);
  const prompt = { id: staged.promptId, name, labels: new Map<string, number>() };
  await assertNotPinned(target, actor, { name, act: `give a prompt the name "${name}"` });
  recordEvent(target, actor, prompt, { type: isMove ? 'moved_in' : 'copied', from: source.name, workspace, version: source.latestVersion });
  const warnings: Warning[] = [];
  for (const [label, version] of Object.entries(overview.labels)) {
    try {
      await putLabel(target, actor, prompt, { label, version, by: 'copy' });
    } catch (err) {
      if (!(err instanceof AppError) || !ruleCodes.has(err.code)) throw err;
      warnings.push({ code: 'label_not_copied', message: `The label "${label}" was not copied. ${err.message}`, label });
    }
  }
  return warnings;
}

/** A release is not copied, because its results come from the original's callers. The labels of the copy point at the controls. */
async function findReleaseWarnings({ source: { releases } }: CopyStores, { actor, source }: Copy): Promise<Warning[]> {
  const active = await releases.listActive(actor.workspaceId, [source.id]);
  return active.map(({ label, split: { control } }) => ({
    code: 'release_not_copied',
    message: `The release on the label "${label}" was not copied. All callers of the copy get version ${control}.`,
    label,
  }));
}

/** Candidates are not copied, because they belong to the proposals and the people of their workspace. */
async function findCandidateWarnings({ source: { candidates } }: CopyStores, { actor, source, isMove }: Copy): Promise<Warning[]> {
  const count = await candidates.count({ accountId: actor.workspaceId, promptId: source.id });
  if (count === 0) return [];
  const what = count === 1 ? '1 candidate of the prompt was' : `${count} candidates of the prompt were`;
  const where = isMove ? `${count === 1 ? 'It stays' : 'They stay'} with the original in the bin.` : '';
  return [{ code: 'candidates_not_copied', message: `${what} not copied. ${where}`.trim() }];
}

/** The codes of errors with which the rules of labels refuse a move. */
const ruleCodes = new Set(['forbidden', 'checks_required', 'approval_required']);
