const statuses = ['conflict', 'replaced', 'created', 'completed', 'unchanged'];

/** What became of a prompt that was imported in several parts: it was created by the first, and completed by the others. */
export function mergeImportResults<T extends { status: string }>(before: T | undefined, after: T): T {
  if (!before || after.status === 'conflict') return after;
  return statuses.indexOf(before.status) <= statuses.indexOf(after.status) ? before : after;
}
