import { messageOf, promptPath, request } from '../lib/api.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { refreshPrompts } from './queries.ts';

/** Moves a prompt to the bin. Leaves its page before the refetch, which would find nothing to show there. */
export async function deletePrompt(name: string, leave: () => Promise<void>): Promise<void> {
  try {
    await request('DELETE', promptPath(name));
    await leave();
    await refreshPrompts();
    toast(`${name} moved to the bin.`, { undo: () => void restorePrompt(name) });
  } catch (err) {
    toastFailure(messageOf(err));
  }
}

export async function restorePrompt(name: string): Promise<void> {
  try {
    await request('POST', promptPath(name, '/restore'));
    await refreshPrompts();
    toast(`${name} restored.`);
  } catch (err) {
    toastFailure(messageOf(err));
  }
}

/** Points a label at a version. `previous` is the version it pointed at before, for undo. */
export async function moveLabel({ name, label, version, previous }: MoveLabel): Promise<void> {
  await request('PUT', promptPath(name, `/labels/${encodeURIComponent(label)}`), { version });
  await refreshPrompts();
  toast(`${label} is now at v${version}.`, { undo: () => void undoMove({ name, label, previous }) });
}

interface MoveLabel extends PreviousTarget {
  name: string;
  version: number;
}

interface PreviousTarget {
  label: string;
  /** Undefined if the label did not exist. */
  previous: number | undefined;
}

/** Points labels at the versions that they pointed at before. */
export async function undoMoves(name: string, targets: PreviousTarget[]): Promise<void> {
  for (const { label, previous } of targets) await undoMove({ name, label, previous });
}

/** Removes a label. `previous` is the version it points at, for undo. */
export async function removeLabel({ name, label, previous }: { name: string; label: string; previous: number }): Promise<void> {
  await request('DELETE', promptPath(name, `/labels/${encodeURIComponent(label)}`));
  await refreshPrompts();
  toast(`${label} removed.`, { undo: () => void undoMove({ name, label, previous }) });
}

async function undoMove({ name, label, previous }: PreviousTarget & { name: string }): Promise<void> {
  try {
    const path = promptPath(name, `/labels/${encodeURIComponent(label)}`);
    await (previous === undefined ? request('DELETE', path) : request('PUT', path, { version: previous }));
    await refreshPrompts();
    toast(previous === undefined ? `${label} removed.` : `${label} is back at v${previous}.`);
  } catch (err) {
    toastFailure(messageOf(err));
  }
}
