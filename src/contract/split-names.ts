// Separate from the schemas, so that the dashboard can import this without TypeBox.

/** The server accepts headers of 16 KiB. */
const maxQueryCharacters = 6000;
const maxQueryNames = 50;

/** Splits names so that each part fits into the address of one request. */
export function splitNames(names: string[]): string[][] {
  const parts: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const length = encodeURIComponent(name).length + '&name='.length;
    const part = parts.at(-1);
    if (!part || part.length >= maxQueryNames || characters + length > maxQueryCharacters) {
      parts.push([name]);
      characters = length;
    } else {
      part.push(name);
      characters += length;
    }
  }
  return parts;
}
