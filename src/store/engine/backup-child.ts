import { chmodSync, closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { writeChecksum } from './backup-checksum.ts';
import type { BackupReply, BackupRequest } from './sqlite-backup.ts';
import { addStatistics } from './sqlite-statistics-file.ts';
import { type BackupContent, verifyDatabase } from './sqlite-verify.ts';

// The process that makes a backup. It is separate from the service because its work blocks the event loop, and because it can be killed.

const sqliteFull = 13;

// The service passes the request as an argument.
const request = JSON.parse(process.argv[2] ?? '') as BackupRequest;
// The parent has ended, so nobody will publish the draft.
process.on('disconnect', () => {
  rmSync(request.draft, { force: true });
  process.exit();
});
// A terminal sends signals to the whole process group, but only the parent decides when its children end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
try {
  reply({ kind: 'made', content: makeBackup(request) });
} catch (err) {
  reply(toFailure(err));
}

function reply(message: BackupReply): void {
  // If the parent has ended, sending fails, and the `disconnect` event follows.
  process.send?.(message, () => undefined);
}

/** Writes the current state of the database to a new file, verifies it and makes it durable. */
function makeBackup({ file, statisticsFile, draft }: BackupRequest): BackupContent {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    // The file is created first with these permissions, because other users must never be able to read the draft.
    closeSync(openSync(draft, 'wx', 0o600));
    source.prepare('vacuum into ?').run(draft);
  } finally {
    source.close();
  }
  chmodSync(draft, 0o600);
  addStatistics(draft, statisticsFile);
  writeChecksum(draft);
  const copy = new DatabaseSync(draft, { readOnly: true });
  try {
    return verifyDatabase(copy);
  } finally {
    copy.close();
    const handle = openSync(draft, 'r+');
    fsyncSync(handle);
    closeSync(handle);
  }
}

function toFailure(err: unknown): BackupReply {
  const { code, errcode, message } = err as { code?: string; errcode?: number; message?: string };
  const isFull = errcode !== undefined && (errcode & 0xff) === sqliteFull;
  return { kind: 'failed', message: message ?? String(err), code: isFull ? 'ENOSPC' : code, isExpected: err instanceof StartError };
}
