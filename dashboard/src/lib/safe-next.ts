/** Returns the page only if it belongs to the dashboard, so that a link cannot redirect to another site after sign-in. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?:dashboard(?:[/?#]|$)|invitations\/|(?:verify|confirm-email|cli)(?:\?|$))/.test(next)
    ? next
    : '/dashboard';
}
