import { constants, rmSync } from 'node:fs';
import { chmod, copyFile, type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import type { BackupReply, BackupRequest } from './backup-messages.ts';
import { draftFiles } from './sqlite-backup-files.ts';
import { type BackupContent, verifyDatabase } from './sqlite-verify.ts';

const chunkBytes = 4 * 1024 * 1024;
/** Written to disk in portions, because the writes of requests to the same disk wait behind whatever the system has gathered. */
const portionBytes = 32 * 1024 * 1024;
const sqliteFull = 13;

let draft: string | undefined;
let work = Promise.resolve();

process.on('message', (request: BackupRequest) => {
  work = handle(request).then(reply, (err: unknown) => reply(toFailure(err)));
});
// The parent has ended, so nobody will put the draft in its place.
process.on('disconnect', async () => {
  await work;
  for (const file of draft === undefined ? [] : draftFiles(draft)) rmSync(file, { force: true });
  process.exit();
});
// A terminal sends signals to the whole process group, but only the parent decides when its children end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
reply({ kind: 'ready' });

function reply(message: BackupReply): void {
  if (process.connected) process.send?.(message);
}

async function handle(request: BackupRequest): Promise<BackupReply> {
  if (request.kind === 'verify') return { kind: 'verified', content: await finishDraft() };
  draft = request.draft;
  await copyDatabaseFile(request.file, draft);
  // The log second: what it has on top of the first file was committed, up to the last complete transaction.
  await copyInPortions(`${request.file}-wal`, `${draft}-wal`);
  return { kind: 'copied' };
}

/** Shares the blocks of the file where the file system can, which takes no time. */
async function copyDatabaseFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    await chmod(to, 0o600);
  } catch {
    await copyInPortions(from, to);
  }
}

async function copyInPortions(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'wx', 0o600);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let unsynced = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return target.datasync();
    if (!process.connected) throw new Error('The parent has ended');
    await writeAll(target, buffer.subarray(0, bytesRead));
    unsynced += bytesRead;
    if (unsynced < portionBytes) continue;
    await target.datasync();
    unsynced = 0;
  }
}

async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await target.write(bytes, written)).bytesWritten;
}

/** Applies the log, so that the backup is one file, verifies the result and makes it durable. */
async function finishDraft(): Promise<BackupContent> {
  if (draft === undefined) throw new Error('There is no draft');
  const sqlite = new DatabaseSync(draft);
  try {
    // Exclusive, because then SQLite needs no third file.
    sqlite.exec('pragma locking_mode = exclusive');
    sqlite.exec('pragma journal_mode = delete');
    return verifyDatabase(sqlite);
  } finally {
    sqlite.close();
    await using file = await open(draft, 'r+');
    await file.sync();
  }
}

function toFailure(err: unknown): BackupReply {
  const { code, errcode, message } = err as { code?: string; errcode?: number; message?: string };
  const isFull = errcode !== undefined && (errcode & 0xff) === sqliteFull;
  return { kind: 'failed', message: message ?? String(err), code: isFull ? 'ENOSPC' : code, isExpected: err instanceof StartError };
}
