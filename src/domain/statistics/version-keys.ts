/**
 * Versions and labels as numbers: half a million may be counted at once, and objects or texts for each of them would keep the garbage
 * collector busy.
 */
export interface VersionKeys {
  keyOf(version: number, label: string): number;
  parse(key: number): { version: number; label: string | null };
}

/** More labels than a workspace can have, and few enough that a key is an exact number. */
const labelRange = 2 ** 21;

export function createVersionKeys(): VersionKeys {
  const labels: string[] = [];
  const indexes = new Map<string, number>();
  return {
    keyOf(version, label) {
      let index = indexes.get(label);
      if (index === undefined) {
        index = labels.push(label) - 1;
        indexes.set(label, index);
      }
      return version * labelRange + index;
    },

    parse(key) {
      return { version: Math.floor(key / labelRange), label: labels[key % labelRange] || null };
    },
  };
}
