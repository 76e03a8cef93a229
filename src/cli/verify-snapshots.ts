import { existsSync } from 'node:fs';
import { verifyBackup } from '../store/restore.ts';
import { messageOf } from './errors.ts';

/** Returns how many snapshots are verified. Throws if some are damaged. A running service may delete old ones in the meantime. */
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
