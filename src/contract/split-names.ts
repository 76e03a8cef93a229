// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The maximum length of a query. It is far below the 16 KiB of headers that the server accepts. */
const maxQueryCharacters = 6000;
const maxQueryNames = 50;

/** Splits names into batches, each of which fits into the URL of one request. */
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
