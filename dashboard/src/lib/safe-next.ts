/** Only our own pages: an address in a link must not lead elsewhere after signing in. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/dashboard(?:[/?#]|$)/.test(next) ? next : '/dashboard';
}
