/** Finds the fields that differ between two states of the same settings, with the earlier and the new values. */
export function findChanges<T extends object>(
  before: T,
  after: T,
): { changed: (keyof T & string)[]; previous: Partial<T>; next: Partial<T> } {
  // The object has only the keys of its type.
  const fields = Object.keys(after) as (keyof T & string)[];
  const changed = fields.filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));
  const pick = (settings: T) => Object.fromEntries(changed.map((field) => [field, settings[field]])) as Partial<T>;
  return { changed, previous: pick(before), next: pick(after) };
}
