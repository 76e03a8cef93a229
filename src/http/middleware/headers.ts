import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Counts how often a header was sent. Node joins or drops repeated headers, but a proxy may have read a different occurrence. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Returns whether the headers announce a body. */
export function hasBody({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
