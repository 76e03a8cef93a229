import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { backupChecksumName } from '../meta.ts';

/** The batch size is a multiple of every page size, so that a string that lies within a page also lies within a batch. */
const batchBytes = 1024 * 1024;

/**
 * Writes the SHA-256 of a backup into the backup itself, so that it stays one file. SQLite itself notices only damage to its structure, not
 * changed content. While the digest is computed, the places that contain the digest itself count as zeros.
 */
export function writeChecksum(file: string): void {
  const placeholder = randomBytes(32).toString('hex');
  const sqlite = new DatabaseSync(file);
  try {
    // The write need not be durable, because the backup is discarded if it is interrupted.
    sqlite.exec('pragma journal_mode = off; pragma synchronous = off');
    sqlite.prepare('insert or replace into meta (name, value) values (?, ?)').run(backupChecksumName, placeholder);
  } finally {
    sqlite.close();
  }
  const { digest, places } = digestFile(file, placeholder);
  const handle = openSync(file, 'r+');
  try {
    for (const place of places) writeSync(handle, digest, place);
  } finally {
    closeSync(handle);
  }
}

/** Throws a StartError if the open database has a checksum that does not match its file. Returns false if it has no checksum. */
export function verifyChecksum(sqlite: DatabaseSync): boolean {
  const row = sqlite.prepare('select value from meta where name = ?').get(backupChecksumName);
  const file = sqlite.location();
  if (!row || file === null) return false;
  const checksum = String(row.value);
  if (/^[0-9a-f]{64}$/.test(checksum) && digestFile(file, checksum).digest === checksum) return true;
  throw new StartError('The content does not match its checksum. The backup was damaged or changed after it was made.');
}

/** Removes the checksum. Call this before the first change to a backup. */
export function removeChecksum(file: string): void {
  const sqlite = new DatabaseSync(file);
  try {
    sqlite.prepare('delete from meta where name = ?').run(backupChecksumName);
  } finally {
    sqlite.close();
  }
}

/** Returns the digest of a file in which a string counts as zeros, and the positions of that string. */
function digestFile(file: string, text: string): { digest: string; places: number[] } {
  const hash = createHash('sha256');
  const places: number[] = [];
  const batch = Buffer.alloc(batchBytes);
  const handle = openSync(file, 'r');
  try {
    for (let position = 0; ; ) {
      const length = readBatch(handle, batch, position);
      const bytes = batch.subarray(0, length);
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
        places.push(position + at);
        bytes.fill('0', at, at + text.length);
      }
      hash.update(bytes);
      position += length;
      if (length < batchBytes) return { digest: hash.digest('hex'), places };
    }
  } finally {
    closeSync(handle);
  }
}

/** Reads until the batch is full or the file ends. */
function readBatch(handle: number, batch: Buffer, position: number): number {
  let length = 0;
  for (;;) {
    const read = readSync(handle, batch, length, batch.length - length, position + length);
    length += read;
    if (read === 0 || length === batch.length) return length;
  }
}
