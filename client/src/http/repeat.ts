import { ApiError, ConnectionError, TlsError } from '../errors.ts';

/**
 * Whether a request that failed may be sent again. A write that may have happened is not, unless repeating it changes nothing:
 * it would save a second version, or report a conflict with itself.
 */
export function mayRepeat(
  err: unknown,
  { method, isRepeatable = method === 'GET' }: { method: string; isRepeatable?: boolean | undefined },
): boolean {
  // A certificate is as wrong a moment later.
  if (err instanceof TlsError) return false;
  if (err instanceof ConnectionError) return isRepeatable || wasNeverSent(err);
  if (!(err instanceof ApiError)) return false;
  const { status, code } = err;
  if (status === 408 || status === 429 || code === 'overloaded') return code !== 'too_many_attempts';
  return status >= 500 && isRepeatable;
}

/** Codes of Node for connections that did not come about. */
const connectCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function wasNeverSent(err: ConnectionError): boolean {
  for (let cause: unknown = err.cause; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && connectCodes.has(String(cause.code))) return true;
  }
  return false;
}
