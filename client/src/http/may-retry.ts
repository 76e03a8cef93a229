import { ApiError, ConnectionError, TlsError } from '../errors.ts';

/**
 * Returns whether a failed request may be retried. A write that may have taken effect is retried only if it is idempotent. Otherwise, the
 * retry would save a second version, or conflict with the first attempt.
 */
export function mayRetry(
  err: unknown,
  { method, isRepeatable = method === 'GET' }: { method: string; isRepeatable?: boolean | undefined },
): boolean {
  // A retry does not fix an invalid certificate.
  if (err instanceof TlsError) return false;
  if (err instanceof ConnectionError) return isRepeatable || wasNeverSent(err);
  if (!(err instanceof ApiError)) return false;
  const { status, code } = err;
  if (status === 408 || status === 429 || code === 'overloaded') return code !== 'too_many_attempts';
  return status >= 500 && isRepeatable;
}

/** Node's error codes for connections that were not established. */
const connectCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function wasNeverSent(err: ConnectionError): boolean {
  for (let cause: unknown = err.cause; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && connectCodes.has(String(cause.code))) return true;
  }
  return false;
}
