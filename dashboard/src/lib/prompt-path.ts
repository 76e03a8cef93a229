/** The path of a prompt in the API, for snippets; the name is one segment. */
export function promptPath(name: string, rest = ''): string {
  // Also what encodeURIComponent leaves: in a snippet, a shell or a string literal would end at a quote.
  const segment = encodeURIComponent(name).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `/api/prompts/${segment}${rest}`;
}
