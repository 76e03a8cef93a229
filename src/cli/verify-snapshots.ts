import { existsSync } from 'node:fs';
import { verifyBackup } from '../store/restore.ts';
import { messageOf } from './errors.ts';

/**
 * Verifies snapshots and returns their number. Throws if any are damaged. Skips snapshots that a running service deletes in the meantime.
 */
export function verifySnapshots(files: string[]): number {
  const damaged: string[] = [];
  let verified = 0;
  for (const file of files) {
    try {
      verifyBackup(file);
      verified += 1;
    } catch (err) {
      if (existsSync(file)) damaged.push(messageOf(err));
    }
  }
  if (damaged.length > 0) throw new Error(`${damaged.join('; ')}. Move damaged files away and make a new backup.`);
  return verified;
}
