import { ApiError } from '../../../client/src/errors.ts';
import { describeMoveError, isGateRefusal } from '../checks/refusal.ts';
import { call, messageOf, switchedText } from '../lib/api.ts';
import { currentWorkspaceId } from '../lib/current-workspace.ts';
import { plural } from '../lib/format.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { forEachLimited } from './for-each-limited.ts';
import { refreshPrompts } from './queries.ts';

/** Moves prompts to the bin. Leaves the page of a deleted prompt before the refetch, which would find nothing to show there. */
export async function deletePrompts(names: string[], leave?: () => Promise<void>, progress?: BulkProgress): Promise<BulkResult> {
  const result = await runForEach(names, (name) => call('deletePrompt', { path: { name } }), progress);
  const { done } = result;
  if (done.length === 0) return result;
  await leave?.();
  await refreshPrompts();
  toast(`${describe(done)} moved to the bin.`, { undo: () => void restorePrompts(done) });
  return result;
}

async function restorePrompts(names: string[]): Promise<void> {
  const { done } = await runForEach(names, (name) => call('restorePrompt', { path: { name }, body: {} }));
  await refreshPrompts();
  if (done.length > 0) toast(`${describe(done)} restored.`);
}

/**
 * Restores a prompt from the bin. Throws the error if the request is refused. `override` is an admin's reason for restoring the prompt
 * without passing checks.
 */
export async function restorePrompt(name: string, override?: string): Promise<void> {
  await call('restorePrompt', { path: { name }, body: override === undefined ? {} : { override } });
  await refreshPrompts();
  toast(`${name} restored.`);
}

/** Lets the user follow and stop a change to many prompts. */
export interface BulkProgress {
  signal: AbortSignal;
  onProgress: (count: number, total: number) => void;
}

/** The result of a change to many prompts. */
export interface BulkResult {
  done: string[];
  /** The prompts that a gate refuses. */
  refused: string[];
  failed: { name: string; text: string }[];
  /** The number of prompts that were not tried, because the user stopped the change. */
  left: number;
}

/**
 * Changes each prompt with a separate request, a few at a time. Stops when the user cancels, or switches to another workspace. Prompts that
 * a gate refuses are returned, so that the caller can say what to do. Failures are shown in a message, unless the caller shows the
 * progress. In that case, the caller also shows the result.
 */
export async function runForEach(
  names: string[],
  change: (name: string) => Promise<unknown>,
  progress?: BulkProgress,
): Promise<BulkResult> {
  const succeeded = new Set<string>();
  const failed: BulkResult['failed'] = [];
  const refused: string[] = [];
  const workspaceId = currentWorkspaceId();
  const hasSwitched = () => currentWorkspaceId() !== workspaceId;
  await forEachLimited(names, async (name) => {
    if (hasSwitched() || progress?.signal.aborted) return;
    try {
      await change(name);
      succeeded.add(name);
    } catch (err) {
      if (isGateRefusal(err)) refused.push(name);
      else failed.push({ name, text: names.length > 1 && isGone(err) ? goneText : messageOf(err) });
    }
    progress?.onProgress(succeeded.size + failed.length + refused.length, names.length);
  });
  if (hasSwitched()) {
    toastFailure(switchedText);
    return { done: [], refused: [], failed: [], left: 0 };
  }
  if (!progress) toastFailures(failed, names.length);
  // The requests end in any order, but an undo has to be predictable.
  const done = names.filter((name) => succeeded.has(name));
  return { done, refused, failed, left: names.length - done.length - failed.length - refused.length };
}

/** Shows which prompts were not changed, in one message. */
export function toastFailures(failed: BulkResult['failed'], total: number): void {
  const [first] = failed;
  if (!first) return;
  const text = total === 1 ? first.text : `${first.name}: ${first.text}`;
  toastFailure(failed.length === 1 ? text : `${plural(failed.length, 'prompt')} not changed. ${text}`);
}

function isGone(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'prompt_not_found';
}

const goneText = 'Someone renamed or deleted it in the meantime.';

function describe(names: string[]): string {
  return names.length === 1 ? String(names[0]) : plural(names.length, 'prompt');
}

/** Moves a label to a version. `previous` is the version that the label pointed at before, which undo restores. */
export async function moveLabel({ name, label, version, previous, override, strict }: MoveLabel): Promise<void> {
  const body = { version, ...(override !== undefined && { override }) };
  await call('moveLabel', { path: { name, label }, query: strict ? { strict: 'true' } : {}, body });
  await refreshPrompts();
  toast(`${label} is now at v${version}.`, { undo: () => void undoMove({ name, label, previous }) });
}

interface MoveLabel extends PreviousTarget {
  name: string;
  version: number;
  /** The reason for moving a gated label without passing checks. */
  override?: string | undefined;
  /** Whether the server refuses the request if something would fail at the label. */
  strict: boolean;
}

interface PreviousTarget {
  label: string;
  /** The version that the label pointed at before. Undefined if the label did not exist. */
  previous: number | undefined;
}

/** Moves labels back to the versions that they pointed at before. */
export async function undoMoves(name: string, targets: PreviousTarget[]): Promise<void> {
  const workspaceId = currentWorkspaceId();
  for (const { label, previous } of targets) {
    if (currentWorkspaceId() === workspaceId) await undoMove({ name, label, previous });
  }
}

/** Deletes a version permanently. */
export async function deleteVersion(name: string, version: number): Promise<void> {
  await call('deleteVersion', { path: { name, version } });
  await refreshPrompts();
  toast(`v${version} deleted.`);
}

/** Removes a label. `previous` is the version that the label points at, which undo restores. */
export async function removeLabel({ name, label, previous }: { name: string; label: string; previous: number }): Promise<void> {
  await call('removeLabel', { path: { name, label } });
  await refreshPrompts();
  toast(`${label} removed.`, { undo: () => void undoMove({ name, label, previous }) });
}

async function undoMove({ name, label, previous }: PreviousTarget & { name: string }): Promise<void> {
  try {
    const path = { name, label };
    await (previous === undefined ? call('removeLabel', { path }) : call('moveLabel', { path, body: { version: previous } }));
    await refreshPrompts();
    toast(previous === undefined ? `${label} removed.` : `${label} is back at v${previous}.`);
  } catch (err) {
    toastFailure(previous === undefined ? messageOf(err) : describeMoveError(err, { label, version: previous }));
  }
}
