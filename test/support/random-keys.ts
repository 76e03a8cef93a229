/** Letters and signs of one to four bytes in UTF-8, some of which mean something in URLs. */
const characters = [...'abcXYZ0123456789 -_.@:/?#&=+%"\\äöüßéñçøŁжñאعहไ漢字仮名한글€™✓😀👩‍👧🏳️‍🌈\u0301\u200d\ufeff'];

/** Yields different keys of 1 to 40 characters, which are the same in every run. */
export function* randomKeys(count: number): Generator<string> {
  const seen = new Set<string>();
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  while (seen.size < count) {
    const key = Array.from({ length: 1 + random(40) }, () => characters[random(characters.length)]).join('');
    if (seen.has(key)) continue;
    seen.add(key);
    yield key;
  }
}
