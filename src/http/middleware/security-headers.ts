/** The headers of every response, errors and the fast path included. Routes whose responses may be stored say so themselves. */
export function securityHeaders(publicUrl: URL | undefined): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
