import { currentWorkspaceId } from '../../lib/current-workspace.ts';
import { type Entries, isObject } from './preview-values.ts';

/**
 * The limits for stored values: the number of prompts, and the number of characters per prompt. The values are stored until the tab is
 * closed.
 */
const maxPrompts = 20;
const maxCharacters = 200_000;

export function previewKey(userId: string, promptId: string): string {
  return `promptharbor:preview:${userId}:${promptId}`;
}

export function readEntries(key: string): Entries {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    // Only this module writes these entries.
    return isObject(stored) && isObject(stored.entries) ? (stored.entries as Entries) : {};
  } catch {
    return {};
  }
}

export function writeEntries(key: string, entries: Entries): void {
  const text = JSON.stringify({ at: Date.now(), entries });
  try {
    sessionStorage.removeItem(key);
    if (Object.keys(entries).length === 0 || text.length > maxCharacters) return;
    removeOldest();
    sessionStorage.setItem(key, text);
  } catch {
    // The storage is full or blocked. The page also works without stored values.
  }
}

/** Returns the id under which the values of an unsaved prompt are stored. No saved prompt has this id. */
export function newPromptId(): string {
  return `new:${currentWorkspaceId() ?? ''}`;
}

/** Keeps the values of a new prompt when it is saved. */
export function moveToSaved(userId: string, promptId: string): void {
  const key = previewKey(userId, newPromptId());
  writeEntries(previewKey(userId, promptId), readEntries(key));
  writeEntries(key, {});
}

/** Removes the values of all previews of an account from this tab. */
export function deletePreviewValues(userId: string): void {
  for (const key of storedKeys(previewKey(userId, ''))) sessionStorage.removeItem(key);
}

function removeOldest(): void {
  const keys = storedKeys(previewKey('', '').slice(0, -1));
  const byAge = keys.map((key) => ({ key, at: timeOf(key) })).sort((a, b) => b.at - a.at);
  for (const { key } of byAge.slice(maxPrompts - 1)) sessionStorage.removeItem(key);
}

function timeOf(key: string): number {
  // The text that writeEntries stores begins with the time.
  return Number(/^\{"at":(\d+)/.exec(sessionStorage.getItem(key) ?? '')?.[1] ?? 0);
}

function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
