import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

export interface Entry {
  /** The path in the archive, without a slash at the start or the end. */
  path: string;
  /** The content of a file, or the target of a symbolic link. Folders have neither. */
  content?: Buffer | string;
  link?: string;
  mode?: number;
  /** The id of the user and of the group. */
  owner?: number;
}

const blockBytes = 512;

/** Writes a tar archive that depends only on its entries: their order is fixed, and their times are 1970. */
export function createTar(entries: Entry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sorted.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    return [createHeader(entry, content.length), content, Buffer.alloc(-content.length & (blockBytes - 1))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

/** Compresses without a time and a file name. */
export function compress(content: Buffer): Buffer {
  return gzipSync(content, { level: 9 });
}

export function sha256(content: Buffer | string): string {
  return hash('sha256', content);
}

function createHeader({ path, content, link, mode, owner = 0 }: Entry, size: number): Buffer {
  const isFolder = content === undefined && link === undefined;
  const name = isFolder ? `${path}/` : path;
  const { prefix, rest } = splitPath(name);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(rest, 0);
  header.write(octal(mode ?? (isFolder ? 0o755 : 0o644), 7), 100);
  header.write(octal(owner, 7), 108);
  header.write(octal(owner, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  // The checksum is computed as if its own field contained spaces.
  header.write(' '.repeat(8), 148);
  header.write(isFolder ? '5' : link === undefined ? '0' : '2', 156);
  header.write(link ?? '', 157);
  header.write('ustar\0' + '00', 257);
  header.write(prefix, 345);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return header;
}

/** The format has 100 bytes for the end of a path, and 155 bytes for its folders. */
function splitPath(name: string): { prefix: string; rest: string } {
  if (name.length <= 100) return { prefix: '', rest: name };
  const slash = name.indexOf('/', name.length - 101);
  if (slash < 0 || slash > 155 || slash === name.length - 1) throw new Error(`The path is too long for an archive: ${name}`);
  return { prefix: name.slice(0, slash), rest: name.slice(slash + 1) };
}
