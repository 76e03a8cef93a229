import { hashKey } from '../../contract/release-assignment.ts';
import { addHash, createSketch, type KeySketch } from '../../platform/key-sketch.ts';
import type { PromptKeys } from '../../store/statistics/prompt-keys.ts';
import { takeSorted } from './take-sorted.ts';

/** A key with which a prompt was read, or for which a call of the prompt was reported. */
export interface CountedKey {
  workspaceId: string;
  promptId: string;
  key: string;
}

interface KeyCounterLimits {
  promptsWithKeys: number;
  sketchesPerWrite: number;
}

/** Counts the distinct keys of each prompt and day. Only a hash of each key is kept. The same key has a different hash in each prompt. */
export function createKeyCounters(limits: KeyCounterLimits) {
  /**
   * All keys of the day so far, by workspace and prompt. Most keys that are read again are already in a sketch, so nothing has to be
   * written. There is a map for each workspace, because building a string for every call would cost more than counting it.
   */
  const workspaces = new Map<string, Map<string, KeySketch>>();
  let size = 0;
  let today = '';
  const changed = new Map<string, PromptKeys>();

  function getSketch({ workspaceId, promptId }: CountedKey, day: string): KeySketch {
    const known = day === today ? workspaces.get(workspaceId)?.get(promptId) : undefined;
    if (known) return known;
    if (day !== today || size >= limits.promptsWithKeys) {
      today = day;
      size = 0;
      workspaces.clear();
    }
    // A sketch that still waits to be written is continued.
    const sketch = changed.get(nameRow(workspaceId, promptId, day))?.sketch ?? createSketch();
    const sketches = workspaces.get(workspaceId) ?? new Map<string, KeySketch>();
    workspaces.set(workspaceId, sketches.set(promptId, sketch));
    size += 1;
    return sketch;
  }

  return {
    /** Counts a key on a day. If too many prompts wait to be written, the key does not count. */
    count(counted: CountedKey, day: string): void {
      const { workspaceId: accountId, promptId, key } = counted;
      const sketch = getSketch(counted, day);
      if (!addHash(sketch, hashKey(promptId, key))) return;
      const row = nameRow(accountId, promptId, day);
      if (changed.has(row) || changed.size < limits.promptsWithKeys) changed.set(row, { accountId, promptId, day, sketch });
      // The sketch is dropped, so that the key can count at the next read.
      else workspaces.get(accountId)?.delete(promptId);
    },

    /** Removes and returns the sketches that have changed, up to a limit. */
    take: (): PromptKeys[] =>
      takeSorted(changed, limits.sketchesPerWrite).map(({ sketch, ...row }) => ({
        ...row,
        sketch: { hashes: sketch.hashes.slice(), size: sketch.size },
      })),

    get size() {
      return changed.size;
    },
  };
}

const nameRow = (workspaceId: string, promptId: string, day: string) => `${workspaceId}\n${promptId}\n${day}`;
