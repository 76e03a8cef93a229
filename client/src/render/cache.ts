const maxCharacters = 16 * 1024 * 1024;

/** Remembers what a function made of each text, so that a template is parsed once and not for each render. */
export function createTextCache<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let characters = 0;
  return (text) => {
    if (known.has(text)) return known.get(text) as T;
    const result = compute(text);
    // Rarely reached, and then everything that is still in use is back after one parse each.
    if (characters > maxCharacters) {
      known.clear();
      characters = 0;
    }
    known.set(text, result);
    characters += text.length;
    return result;
  };
}
