import { rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { StartError } from '../../errors.ts';
import { startChild } from '../../platform/programs.ts';
import type { BackupContent } from './sqlite-verify.ts';

const priority = 10;
/** The maximum size of the write-ahead log during a backup. The log grows, because it cannot be moved into the database in the meantime. */
const maxLogBytes = 512 * 1024 * 1024;
const checkEveryMs = 500;

export interface BackupDraft {
  draft: string;
  signal: AbortSignal;
  /** Publishes the verified draft. Until then, the draft is removed even if this process is killed. */
  publish(content: BackupContent): Promise<void>;
}

/** The argument of the process that makes a backup, as JSON. */
export interface BackupRequest {
  file: string;
  statisticsFile: string;
  draft: string;
}

export type BackupReply =
  | { kind: 'made'; content: BackupContent }
  | { kind: 'failed'; message: string; code: string | undefined; isExpected: boolean };

type BackupOptions = BackupDraft & BackupRequest;

/**
 * Copies the open database to `draft`, verifies the copy and publishes it. A failed attempt leaves no files behind. A separate process
 * makes the copy, because a process that closes any handle of the database file loses its locks on the file. The service continues to
 * handle requests in the meantime.
 */
export async function backUpSqlite({ file, statisticsFile, draft, signal, publish }: BackupOptions): Promise<BackupContent> {
  const copier = startCopier({ file, statisticsFile, draft }, signal);
  const timer = setInterval(() => {
    const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (logBytes > maxLogBytes)
      copier.fail(new StartError('The backup was canceled because too much data was written while it was being made.'));
    void flush(draft);
  }, checkEveryMs);
  try {
    const content = await copier.made;
    await publish(content);
    await copier.end();
    return content;
  } catch (err) {
    await copier.end();
    rmSync(draft, { force: true });
    throw err;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Flushes the draft to disk regularly. Otherwise, the whole draft would be flushed at the end, and the writes of requests would have to
 * wait.
 */
async function flush(draft: string): Promise<void> {
  try {
    await using file = await open(draft, 'r+');
    await file.datasync();
  } catch {
    // The draft does not exist yet, or no longer exists.
  }
}

function startCopier(request: BackupRequest, signal: AbortSignal) {
  signal.throwIfAborted();
  const child = startChild('backup-child', { args: [JSON.stringify(request)], priority });
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
  const { promise: made, resolve, reject: fail } = Promise.withResolvers<BackupContent>();
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  child.once('message', (reply: BackupReply) => {
    if (reply.kind === 'made') resolve(reply.content);
    else fail(reply.isExpected ? new StartError(reply.message) : Object.assign(new Error(reply.message), { code: reply.code }));
  });
  child.once('exit', () => {
    fail(new Error('The process that copies the database ended unexpectedly'));
    onEnd();
  });
  child.on('error', (err) => {
    fail(err);
    if (child.pid === undefined) onEnd();
  });
  return {
    made,
    /** Makes the backup fail. */
    fail,
    /** Resolves when the process has ended. */
    async end(): Promise<void> {
      signal.removeEventListener('abort', onAbort);
      child.kill('SIGKILL');
      await ended;
    },
  };
}
