/** A part of a prompt that searches cover, with its JSON pointer. */
export interface SearchedText {
  path: string;
  text: string;
}

/** Separates the texts of a version, and the name of a prompt from its description. No search contains it, because control characters are rejected. */
export const separator = '\u0001';

/**
 * Returns the form in which searches compare texts: in lower case, and with composed characters. Both the stored text and the search are
 * converted.
 */
export function foldText(text: string): string {
  return composeText(text).toLowerCase();
}

/**
 * A run of more combining marks than any language uses. Unicode's Stream-Safe Text Format (UAX #15) allows 30. The time that `normalize`
 * takes grows with the square of the length of a run, so a hostile template could occupy the main thread for minutes.
 */
const longRun = /(?<!\p{M})\p{M}{31}/u;

/**
 * Returns the text with composed characters. Removes characters that a database rejects, which only a config can contain. If the text has a
 * longer run of combining marks, its characters are not composed.
 */
export function composeText(text: string): string {
  const storable = text.toWellFormed();
  const composed = longRun.test(storable) ? storable : storable.normalize('NFC');
  return composed.replaceAll('\0', separator);
}

/** Returns all searched texts of a version, joined and folded. */
export function toSearchText(version: { content: string; config: string }): string {
  return foldText(
    listVersionTexts(version)
      .map(({ text }) => text)
      .join(separator),
  );
}

/**
 * Lists the searched texts of a version from its stored JSON: the templates, the names of placeholders, the declarations, and the config.
 */
export function listVersionTexts({ content, config }: { content: string; config: string }): SearchedText[] {
  const parsed: unknown = JSON.parse(content);
  const root = typeof parsed === 'string' ? '/template' : Array.isArray(parsed) ? '/messages' : '';
  return [...listLeaves(parsed, root, toMessageText), ...listLeaves(JSON.parse(config), '/config', toConfigText)];
}

/** Returns the text of a value, or undefined if it is not searched. `key` is undefined for the root and for items of lists. */
type ToText = (value: unknown, key: string | undefined) => string | undefined;

/**
 * Returns a text of a message. Roles are not searched, because a search for a role would find every chat prompt. The bytes of images and
 * files are not searched either.
 */
const toMessageText: ToText = (value, key) => {
  if (typeof value !== 'string' || key === 'role' || key === 'type' || key === 'data') return undefined;
  return key === 'url' && value.startsWith('data:') ? undefined : value;
};

/** Returns a text of the config. A search finds a setting by its name or by its value. */
const toConfigText: ToText = (value, key) => {
  if (typeof value === 'object' && value !== null) return key;
  return key === undefined ? String(value) : `${key}: ${value}`;
};

function listLeaves(root: unknown, rootPath: string, toText: ToText): SearchedText[] {
  const found: SearchedText[] = [];
  // The function is not recursive, because a config may be nested deeply.
  const open: { value: unknown; path: string; key?: string }[] = [{ value: root, path: rootPath }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, key } = next;
    const text = toText(value, key);
    if (text !== undefined) found.push({ path, text });
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    const inner = Object.entries(value).map(([name, item]) => ({
      value: item,
      path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ...(!isList && { key: name }),
    }));
    for (const item of inner.reverse()) open.push(item);
  }
  return found;
}
