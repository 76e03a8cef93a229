import type { CopiedPrompt, CopyRequest } from '../../contract/copies.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { Actor, Client } from '../actor.ts';
import { toStorable } from '../ids.ts';
import type { WithChanges, WithLargeChanges } from '../prompts/change-prompts.ts';
import { assertNoWarnings } from '../prompts/labels/move-warnings.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { parseName } from '../prompts/prompts.ts';
import { assertRole, recordInWorkspace } from '../workspaces/change-workspace.ts';
import { type Copy, getTargetRole, nameTaken, targetNotFound } from './copy.ts';
import { findIncludeWarnings } from './include-warnings.ts';
import { publishCopy } from './publish-copy.ts';
import { stageCopy } from './stage-copy.ts';

/** The maximum number of attempts to copy a prompt that others change at the same time. */
const maxAttempts = 5;

/**
 * Copies a prompt with its versions, labels, tags, test cases and history to a workspace in which the actor may write. The rows are first
 * copied to a prompt that nobody can see, in batches. One transaction then makes it visible and, for a move, moves the original to the bin.
 */
export async function copyPrompt(
  ctx: WithStore & WithChanges & WithLargeChanges & WithAudit,
  actor: Actor,
  name: string,
  { isStrict, client, ...request }: CopyRequest & { isStrict: boolean; client: Client },
): Promise<CopiedPrompt> {
  const target = await toTarget(ctx, actor, request.workspace);
  // This check comes first, so that a workspace that the actor may not access is reported as missing.
  await getTargetRole(ctx.store, target);
  const { move: isMove = false } = request;
  if (isMove) assertRole(actor.role, 'editor');
  if (isMove && target.workspaceId === actor.workspaceId) {
    throw invalidField('/move', 'The prompt is already in this workspace. To rename it, use PATCH /api/prompts/{name}.');
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const source = await getPromptRecord(ctx.store, actor, name);
    const copy = { source, actor, target, name: parseName(request.name ?? source.name), isMove };
    const copied = await tryCopy(ctx, copy, isStrict);
    if (!copied) continue;
    if (target.workspaceId !== actor.workspaceId) {
      const detail = { prompt: source.name, workspace: copied.workspace };
      recordInWorkspace(ctx, actor, { type: isMove ? 'prompt_moved' : 'prompt_copied', detail, client });
    }
    return copied;
  }
  throw new AppError('prompt_changing');
}

/** Copies the prompt. Returns undefined if the prompt was changed during the copy. */
async function tryCopy(ctx: WithStore & WithChanges & WithLargeChanges, copy: Copy, isStrict: boolean): Promise<CopiedPrompt | undefined> {
  const { workspaceId } = copy.target;
  if (await ctx.store.prompts.find(workspaceId, copy.name)) throw nameTaken(copy.name);
  const staged = await stageCopy(ctx, copy);
  let copied: CopiedPrompt | undefined;
  try {
    const warnings = await findIncludeWarnings(ctx, copy, staged.promptId);
    const check = (found: Warning[]) => isStrict && assertNoWarnings(found);
    copied = await publishCopy(ctx, copy, { staged, warnings, check });
  } finally {
    // If this fails, housekeeping removes the staged prompt later, like an expired prompt in the bin.
    if (!copied) await ctx.store.removeStagedPrompt(workspaceId, staged.promptId).catch(() => undefined);
  }
  return copied;
}

/** Returns the actor in the workspace of the copy. The actor's role there is not known yet. */
async function toTarget({ store }: WithStore, actor: Actor, workspaceId: string): Promise<Actor> {
  const target = { ...actor, workspaceId: toStorable(workspaceId) };
  // The id of an account is also the id of its own workspace, but a service account has no workspace of its own.
  if (target.workspaceId === actor.accountId && actor.workspaceId !== actor.accountId) {
    const member = await store.memberships.find(actor.workspaceId, actor.accountId);
    if (member?.homeWorkspaceId !== null) throw targetNotFound();
  }
  return target;
}
