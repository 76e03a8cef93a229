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

/** Counts the distinct keys of each prompt and day. Only a hash of a key is kept, which is different in each prompt. */
export function createKeyCounters(limits: KeyCounterLimits) {
  /** All keys of the day, so that most keys change nothing and need not be written again. */
  let sketches = new Map<string, KeySketch>();
  let today = '';
  const changed = new Map<string, PromptKeys>();

  function findSketch(id: string, day: string): KeySketch | undefined {
    const known = day === today ? sketches.get(id) : undefined;
    if (!known && (day !== today || sketches.size >= limits.promptsWithKeys)) {
      today = day;
      sketches = new Map();
    }
    return known;
  }

  return {
    /** Counts a key on a day. If the limit of prompts is reached, the key does not count. */
    count({ workspaceId: accountId, promptId, key }: CountedKey, day: string): void {
      const id = `${accountId}\n${promptId}`;
      const sketch = findSketch(id, day) ?? createSketch();
      if (!addHash(sketch, hashKey(promptId, key))) return;
      const rowId = `${id}\n${day}`;
      if (changed.has(rowId) || changed.size < limits.promptsWithKeys) {
        sketches.set(id, sketch);
        changed.set(rowId, { accountId, promptId, day, sketch });
      } else {
        sketches.delete(id);
      }
    },

    /** Removes and returns the sketches that have changed, up to a limit. */
    take: (): PromptKeys[] =>
      takeSorted(changed, limits.sketchesPerWrite).map((row) => ({
        ...row,
        sketch: { hashes: row.sketch.hashes.slice(), size: row.sketch.size },
      })),

    get size() {
      return changed.size;
    },
  };
}
