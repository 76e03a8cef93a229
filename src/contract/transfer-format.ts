// This file is separate from the schemas, so that the client and the commands can import it without TypeBox.

export const linesMediaType = 'application/x-ndjson';
export const exportFormat = 'promptharbor';
export const exportVersion = 1;

/** The first line of an export and of every import request. */
export const formatLine = JSON.stringify({ format: exportFormat, version: exportVersion });

/** The maximum number of bytes and lines per import request. The request is read as a stream. */
export const maxImportBytes = 16 * 1024 * 1024;
export const maxImportLines = 10_000;
/**
 * The maximum length of a line. The maximum is larger than any line of an export: even a version that was saved with a body of 1 MiB has a
 * line that is only slightly longer.
 */
export const maxImportLineBytes = 2 * 1024 * 1024;
/** The maximum size of the consecutive lines of one prompt. These lines are held in memory together. */
export const maxImportPromptBytes = 4 * 1024 * 1024;
