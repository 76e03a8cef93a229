/** Returns the path of a prompt in the API, for snippets. The name is one segment. */
export function promptPath(name: string, rest = ''): string {
  // Some characters that encodeURIComponent keeps are encoded too, because in a snippet a quote would end the string literal or shell
  // argument.
  const segment = encodeURIComponent(name).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `/api/prompts/${segment}${rest}`;
}
