const maxCharacters = 16 * 1024 * 1024;

/** Caches the result of a function for each text, so that a template is parsed once and not for every render. */
export function createTextCache<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let characters = 0;
  return (text) => {
    if (known.has(text)) return known.get(text) as T;
    const result = compute(text);
    // The limit is rarely reached. Clearing the cache then costs one more parse of each text that is still in use.
    if (characters > maxCharacters) {
      known.clear();
      characters = 0;
    }
    known.set(text, result);
    characters += text.length;
    return result;
  };
}
