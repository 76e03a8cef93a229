const statuses = ['conflict', 'replaced', 'created', 'completed', 'unchanged'];

/**
 * Merges the results of a prompt that was imported in several requests. The first request creates the prompt, and the others complete it.
 */
export function mergeImportResults<T extends { status: string }>(before: T | undefined, after: T): T {
  if (!before || after.status === 'conflict') return after;
  return statuses.indexOf(before.status) <= statuses.indexOf(after.status) ? before : after;
}
