import { currentWorkspaceId } from '../../lib/current-workspace.ts';
import { readStored, storedKeys, writeStored } from '../../lib/storage.ts';
import { findOpenTabs, tabId } from '../../lib/tab.ts';
import type { PromptType } from '../../lib/types.ts';
import type { Draft } from './draft.ts';

/** The metadata that the user enters for a new prompt. */
export interface NewPromptDetails {
  type: PromptType;
  name: string;
  description: string;
  tags: string;
}

/** A draft as stored in the browser, with the number of the version on which it is based, or 0 for a new prompt. */
export interface StoredDraft {
  at: string;
  base: number;
  draft: StoredContent;
  details?: NewPromptDetails | undefined;
}

/** The content of a stored draft. Drafts from the time when a prompt had only texts and a config lack the other fields. */
export type StoredContent = Pick<Draft, 'syntax' | 'template' | 'messages' | 'config'> & Partial<Draft>;

/** A draft from another tab, which may have been closed. */
export interface OtherDraft extends StoredDraft {
  key: string;
  tab: string;
  isOpen: boolean;
}

const prefix = 'promptharbor:draft:';
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
const maxDrafts = 50;

/**
 * Returns the key of this tab's draft in the current workspace. Every tab has a separate draft, so that two tabs with the same prompt do
 * not overwrite each other.
 */
export function draftKey(userId: string, promptId: string, tab = tabId): string {
  const workspaceId = currentWorkspaceId();
  return `${prefix}${userId}:${workspaceId === undefined ? '' : `${workspaceId}:`}${promptId}:${tab}`;
}

export function readDraft(key: string): StoredDraft | undefined {
  try {
    // Only this module writes drafts. Anything in a different format is ignored.
    const stored = JSON.parse(readStored(key) ?? 'null') as StoredDraft | null;
    return typeof stored?.base === 'number' && typeof stored.draft?.config === 'string' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the stored draft. Missing fields get the values of the version on which the draft is based. */
export function restoreDraft(stored: StoredContent, base: Draft): Draft {
  return { ...base, syntax: 'liquid', ...stored };
}

/** Stores a draft. If the storage is full, deletes the oldest drafts to make room. Returns whether it was stored. */
export function writeDraft(key: string, { at, base, draft, details }: StoredDraft): boolean {
  // The time comes first, so that it can be read without parsing the rest.
  const text = JSON.stringify({ at, base, draft, details });
  if (writeStored(key, text)) return true;
  for (const oldest of keysByAge().reverse()) {
    if (oldest === key) continue;
    deleteDraft(oldest);
    if (writeStored(key, text)) return true;
  }
  return false;
}

export function deleteDraft(key: string): void {
  writeStored(key, undefined);
}

/** Removes all drafts of an account from this browser, in all workspaces. */
export function deleteDrafts(userId: string): void {
  for (const key of storedKeys(`${prefix}${userId}:`)) deleteDraft(key);
}

/** Returns the drafts of the same prompt in other tabs, newest first. */
export async function findOtherDrafts(ownKey: string): Promise<OtherDraft[]> {
  const openTabs = await findOpenTabs();
  const ofPrompt = ownKey.slice(0, ownKey.lastIndexOf(':') + 1);
  return storedKeys(ofPrompt)
    .flatMap((key) => {
      const stored = key === ownKey ? undefined : readDraft(key);
      const tab = key.slice(ofPrompt.length);
      return stored ? [{ ...stored, key, tab, isOpen: openTabs.has(tab) }] : [];
    })
    .sort((a, b) => b.at.localeCompare(a.at));
}

/** Deletes drafts that are too old or too many. */
export function deleteOldDrafts(): void {
  const oldest = new Date(Date.now() - maxAgeMs).toISOString();
  for (const [index, key] of keysByAge().entries()) if (index >= maxDrafts || timeOf(key) < oldest) deleteDraft(key);
}

/** Returns all drafts in this browser, newest first. */
function keysByAge(): string[] {
  const times = new Map(storedKeys(prefix).map((key) => [key, timeOf(key)]));
  return [...times.keys()].sort((a, b) => (times.get(b) ?? '').localeCompare(times.get(a) ?? ''));
}

function timeOf(key: string): string {
  return /^\{"at":"([^"]*)"/.exec(readStored(key) ?? '')?.[1] ?? '';
}
