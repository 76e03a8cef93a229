const ids = new WeakMap<object, number>();
let lastId = 0;

/**
 * Returns an id for a message, a part or another item without an id. The id keeps each editor with its item when items are moved, removed
 * and restored.
 */
export function idOf(item: object): number {
  const known = ids.get(item);
  if (known !== undefined) return known;
  lastId += 1;
  ids.set(item, lastId);
  return lastId;
}

/** Gives the changed item the id of the item that it replaces. */
export function keepId<T extends object>(item: object, changed: T): T {
  ids.set(changed, idOf(item));
  return changed;
}
