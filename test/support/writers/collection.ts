import type { Random } from '../random.ts';
import type { Target, Writer } from './writer.ts';

/** A kind of item that can be created, changed and removed. Each item has an id and one value that changes. */
export interface Collection {
  kind: string;
  /** The maximum number of items. */
  limit: number;
  /** Creates an item and resolves with its id. */
  create(target: Target, value: string): Promise<string>;
  change(target: Target, id: string, value: string): Promise<void>;
  remove(target: Target, id: string): Promise<void>;
  /** Lists the values of all items by id. */
  list(target: Target): Promise<Map<string, string>>;
  /** Returns the value for the nth change. */
  valueOf(count: number): string;
}

interface Change {
  /** The id of the item. Missing for a creation, because only the response contains the id. */
  id?: string;
  /** The new value. Missing for a removal. */
  value?: string;
}

export function createCollectionWriter(collection: Collection, random: Random): Writer {
  let known = new Map<string, string>();
  let pending: Change | undefined;
  let count = 0;

  return {
    kind: collection.kind,

    async write(target) {
      count += 1;
      const value = collection.valueOf(count);
      const id = known.size === 0 || (known.size < collection.limit && random.below(3) === 0) ? undefined : random.pick([...known.keys()]);
      const isRemoval = id !== undefined && random.below(4) === 0;
      pending = { ...(id !== undefined && { id }), ...(!isRemoval && { value }) };
      if (id === undefined) known.set(await collection.create(target, value), value);
      else if (isRemoval) {
        await collection.remove(target, id);
        known.delete(id);
      } else {
        await collection.change(target, id, value);
        known.set(id, value);
      }
      pending = undefined;
    },

    async verify(target) {
      const stored = await collection.list(target);
      const problems = compare({ known, stored, pending });
      known = stored;
      pending = undefined;
      return problems.map((problem) => `${collection.kind}: ${problem}`);
    },
  };
}

/** Compares the stored items with the acknowledged ones. The pending change may or may not have been stored. */
export function compare({
  known,
  stored,
  pending,
}: {
  known: Map<string, string>;
  stored: Map<string, string>;
  pending: Change | undefined;
}): string[] {
  const problems: string[] = [];
  for (const [id, value] of known) {
    const found = stored.get(id);
    const isChanging = pending?.id === id;
    if (found === value || (isChanging && found === pending.value)) continue;
    problems.push(found === undefined ? `${id} is lost, which was ${value}` : `${id} is ${found} and was ${value}`);
  }
  const added = [...stored].filter(([id]) => !known.has(id));
  const isCreating = pending !== undefined && pending.id === undefined;
  for (const [index, [id, value]] of added.entries()) {
    if (index > 0 || !isCreating || value !== pending.value) problems.push(`${id} is there, which was removed or never created: ${value}`);
  }
  return problems;
}
