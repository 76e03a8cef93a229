/** Describes what happens if email is configured but PUBLIC_URL is not set. */
export function describeMissingPublicUrl(origin: string): string {
  return `PUBLIC_URL is not set, so links in emails start with ${origin}, which other people cannot open. Set it to the URL at which browsers reach the service.`;
}
