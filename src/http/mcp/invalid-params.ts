import { ProtocolErrorCode } from '@modelcontextprotocol/server';

const marker = `"code":${ProtocolErrorCode.InternalError}`;
const maxPaths = 20;

/**
 * Corrects the SDK's response to invalid params. For earlier revisions of the protocol, this response is an internal error with the text of
 * the SDK's validation library. Returns undefined for every other response. Call this function only if our own code did not fail.
 */
export function correctInvalidParams(response: string): string | undefined {
  // The marker occurs only in an error, because in a result its quotation marks would be escaped.
  if (!response.includes(marker)) return undefined;
  const start = response.indexOf('{');
  const end = response.lastIndexOf('}') + 1;
  // The text is valid JSON, because the SDK has just serialized it.
  const { id, error } = JSON.parse(response.slice(start, end)) as { id: unknown; error: { message: string } };
  const paths = readPaths(error.message);
  const message = paths.length === 0 ? 'Invalid params' : `Invalid params: check ${paths.join(', ')}`;
  const corrected = { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message } };
  return response.slice(0, start) + JSON.stringify(corrected) + response.slice(end);
}

/** Returns the fields that the library's message mentions. The text is a JSON list of problems, each with a path. */
function readPaths(text: string): string[] {
  try {
    const problems = JSON.parse(text) as { path: (string | number)[] }[];
    return [...new Set(problems.map(({ path }) => path.join('/').slice(0, 200)))].slice(0, maxPaths);
  } catch {
    return [];
  }
}
