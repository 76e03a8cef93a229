/** The headers of every response, errors and the fast path included. */
export function securityHeaders(publicUrl: URL | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
