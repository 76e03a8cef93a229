// Separate from the schemas, so that the client and the commands can import these without TypeBox.

export const linesMediaType = 'application/x-ndjson';
export const exportFormat = 'promptharbor';
export const exportVersion = 1;

/** The first line of an export, and of every request that imports. */
export const formatLine = JSON.stringify({ format: exportFormat, version: exportVersion });

/** An import is read as a stream. Each request has at most this many bytes and lines. */
export const maxImportBytes = 16 * 1024 * 1024;
export const maxImportLines = 10_000;
/** More than any line of an export has: a version that was saved with a body of 1 MiB gives a line that is a little longer. */
export const maxImportLineBytes = 2 * 1024 * 1024;
/** The lines of one prompt in a row, which are kept in memory together. */
export const maxImportPromptBytes = 4 * 1024 * 1024;
