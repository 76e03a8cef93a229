import { sha256 } from './sha256.ts';

/** The extensions of prompt files. Files with either extension are read. New files get the first one. */
export const extensions = ['.prompt.yaml', '.prompt.yml'] as const;

/**
 * The maximum length of a file or folder name. File systems allow 255 bytes, but the extension and the suffix of a temporary file need some
 * of these bytes.
 */
const maxSegmentBytes = 180;
const shortenedBytes = 100;

/**
 * The extent to which a name is escaped in its path. 0: only characters that file systems refuse. 1: also letters that some file systems
 * confuse with others. 2: all characters.
 */
type Level = 0 | 1 | 2;
const levels: Level[] = [0, 1, 2];

/**
 * Chooses paths for prompts without a path. Paths are relative to the folder, with `/` between the parts. A path is the prompt's name.
 * Characters that a file system refuses are encoded as in URLs, for example as `%3A`. Names that differ only in case get different paths,
 * even on a disk that ignores case.
 */
export function choosePaths(names: Iterable<string>, existing: ReadonlyMap<string, string>): Map<string, string> {
  const all = [...new Set([...names, ...existing.keys()])];
  const prefixes = new Set(all.flatMap((name) => prefixesOf(name).map(([prefix]) => prefix)));
  const alike = Map.groupBy(prefixes, foldCase);
  const taken = new Map<string, string>();
  for (const [name, path] of existing) for (const [prefix, part] of zipPrefixes(name, path)) taken.set(foldCase(part), prefix);
  const paths = new Map<string, string>();
  for (const name of all.filter((candidate) => !existing.has(candidate)).sort()) {
    const segments: string[] = [];
    for (const [prefix, segment, isLast] of prefixesOf(name)) {
      const start: Level = (alike.get(foldCase(prefix))?.length ?? 0) > 1 ? 1 : 0;
      const encode = (level: Level) => [...segments, encodeSegment(segment, { level, isLast })].join('/');
      const isFree = (level: Level) => (taken.get(foldCase(encode(level))) ?? prefix) === prefix;
      const level = levels.find((candidate) => candidate >= start && isFree(candidate)) ?? 2;
      taken.set(foldCase(encode(level)), prefix);
      segments.push(encodeSegment(segment, { level, isLast }));
    }
    paths.set(name, segments.join('/'));
  }
  return paths;
}

/**
 * Returns the name that a path represents. Returns undefined if the path contains only the beginning of a name that was too long, or if no
 * name leads to this path.
 */
export function nameOfPath(path: string): string | undefined {
  const segments = withoutExtension(path).split('/').map(decodeSegment);
  return segments.every((segment) => segment !== undefined) ? segments.join('/') : undefined;
}

/** Returns whether a prompt with this name may be in this file. A disk that ignores case may spell folders differently. */
export function isPathOf(path: string, name: string): boolean {
  const parts = withoutExtension(path).split('/').map(foldCase);
  const segments = name.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, index) => {
      const isLast = index === parts.length - 1;
      return levels.some((level) => foldCase(withoutExtension(encodeSegment(segments[index] ?? '', { level, isLast }))) === part);
    })
  );
}

export function isPromptFile(fileName: string): boolean {
  return extensions.some((extension) => fileName.toLowerCase().endsWith(extension));
}

function withoutExtension(path: string): string {
  const extension = extensions.find((candidate) => path.toLowerCase().endsWith(candidate)) ?? '';
  return path.slice(0, path.length - extension.length).normalize('NFC');
}

function encodeSegment(segment: string, { level, isLast }: { level: Level; isLast: boolean }): string {
  const suffix = isLast ? extensions[0] : '';
  if (segment === '') return `%${suffix}`;
  const characters = [...segment];
  // A folder with the extension of a prompt file could conflict with that file.
  const looksLikeFile = !isLast && isPromptFile(segment);
  const encoded = characters.map((character, index) => {
    const isFirst = index === 0;
    const isFinal = index === characters.length - 1;
    const isEscaped =
      level === 2 ||
      (level === 1 && foldCase(character) !== character) ||
      forbidden.test(character) ||
      (isFirst && (/[. ]/.test(character) || reserved.test(segment))) ||
      (isFinal && (/[. ]/.test(character) || looksLikeFile));
    return isEscaped ? escapeCharacter(character) : character;
  });
  if (Buffer.byteLength(encoded.join('')) <= maxSegmentBytes) return encoded.join('') + suffix;
  // A name that is too long is replaced with its beginning and a digest. The file itself contains the whole name.
  let start = '';
  for (const part of encoded) {
    if (Buffer.byteLength(start + part) > shortenedBytes) break;
    start += part;
  }
  return `${start}%~${sha256(segment, 'hex').slice(0, 16)}${suffix}`;
}

function decodeSegment(segment: string): string | undefined {
  if (segment === '%') return '';
  try {
    return decodeURIComponent(segment).normalize('NFC');
  } catch {
    return undefined;
  }
}

/** The characters that Windows refuses, and `%`, which begins an escape. */
const forbidden = /[%:?*"<>|\\\p{Cc}]/u;
/** The names of devices on Windows. Windows reserves them with any extension. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

function escapeCharacter(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Returns a key that is equal for all names that a file system may consider the same. */
function foldCase(text: string): string {
  return text.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

/** Lists the folders of a name, and the name itself, each with its last segment. */
function prefixesOf(name: string): [prefix: string, segment: string, isLast: boolean][] {
  const segments = name.split('/');
  // A prompt and a folder with the same name do not conflict, because only the file has an extension.
  return segments.map((segment, index) => {
    const isLast = index === segments.length - 1;
    return [segments.slice(0, index + 1).join('/') + (isLast ? extensions[0] : '/'), segment, isLast];
  });
}

function zipPrefixes(name: string, path: string): [prefix: string, part: string][] {
  const parts = path.split('/');
  return prefixesOf(name).map(([prefix], index) => [prefix, parts.slice(0, index + 1).join('/')]);
}
