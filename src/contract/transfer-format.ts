// Separate from the schemas, so that the client and the commands can import these without TypeBox.

export const linesMediaType = 'application/x-ndjson';
export const exportFormat = 'promptharbor';
export const exportVersion = 1;

/** The first line of an export, and of every request that imports. */
export const formatLine = JSON.stringify({ format: exportFormat, version: exportVersion });

export const maxImportBytes = 4 * 1024 * 1024;
export const maxImportLines = 10_000;

const statuses = ['conflict', 'created', 'completed', 'unchanged'];

/** What became of a prompt that was imported in several parts: it was created by the first, and completed by the others. */
export function mergeImportResults<T extends { status: string }>(before: T | undefined, after: T): T {
  if (!before || after.status === 'conflict') return after;
  return statuses.indexOf(before.status) <= statuses.indexOf(after.status) ? before : after;
}
