/**
 * Returns the headers of every response, including errors and responses of the fast path. Routes whose responses may be stored override
 * them.
 */
export function securityHeaders(publicUrl: URL | undefined): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
