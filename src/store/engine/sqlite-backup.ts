import { type ChildProcess, fork } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../errors.ts';
import { isBuilt, root } from '../../root.ts';
import type { BackupReply, BackupRequest } from './backup-messages.ts';
import { draftFiles } from './sqlite-backup-files.ts';
import type { BackupContent } from './sqlite-verify.ts';

const childFile = fileURLToPath(new URL(isBuilt ? 'dist/backup-child.js' : 'src/store/engine/backup-child.ts', root));
/** Nothing of the service's own: it has secrets. Windows needs the one variable to start a program. */
const environment = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};
const priority = 10;
/** What may gather in the log while the file is copied, because all of it is written to the file at once then. */
const maxLogBytes = 512 * 1024 * 1024;
const logCheckMs = 500;

/** How many pages the log gathers before a commit writes them to the database file. */
export const checkpointPages = 250;

export interface BackupDraft {
  draft: string;
  signal: AbortSignal;
  /** Puts the verified draft in its place. Until that is done, the draft is removed even if this process is killed. */
  publish(content: BackupContent): Promise<void>;
}

interface BackupSource {
  file: string;
  /** Writes anything to the database, after a transaction that is open. */
  write(): Promise<void>;
}

/**
 * Makes a verified copy of the open database at `draft` and publishes it, or leaves nothing there. Requests go on: checkpoints are paused while the file
 * is copied, so it does not change, and the log is copied last. A process of its own copies, because when a process closes any handle
 * of the file it loses its lock on it. Why not SQLite's backup: docs/decisions/0041-backups.md.
 */
export async function backUpSqlite(
  sqlite: DatabaseSync,
  { file, draft, signal, publish, write }: BackupDraft & BackupSource,
): Promise<BackupContent> {
  const copier = startCopier(signal);
  try {
    await copier.next();
    await withoutCheckpoints(sqlite, { file, onFullLog: copier.fail }, async () => {
      // A log of which everything is in the file would be started over by the next write. If this one fails, so will others.
      await write().catch(() => undefined);
      await copier.request({ kind: 'copy', file, draft });
    });
    const reply = await copier.request({ kind: 'verify' });
    if (reply.kind !== 'verified') throw new Error(`Unexpected reply ${reply.kind}`);
    await publish(reply.content);
    await copier.end();
    return reply.content;
  } catch (err) {
    await copier.end();
    for (const name of draftFiles(draft)) rmSync(name, { force: true });
    throw err;
  }
}

async function withoutCheckpoints<T>(
  sqlite: DatabaseSync,
  { file, onFullLog }: { file: string; onFullLog(err: Error): void },
  copy: () => Promise<T>,
): Promise<T> {
  const setPages = (pages: number) => sqlite.isOpen && sqlite.exec(`pragma wal_autocheckpoint = ${pages}`);
  const logBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const timer = setInterval(() => {
    if (logBytes() > maxLogBytes) onFullLog(new StartError('The backup was given up: too much was written while the database was copied.'));
  }, logCheckMs);
  setPages(0);
  try {
    return await copy();
  } finally {
    clearInterval(timer);
    setPages(checkpointPages);
  }
}

interface Copier {
  request(request: BackupRequest): Promise<BackupReply>;
  next(): Promise<BackupReply>;
  /** Makes the pending request fail. */
  fail(err: unknown): void;
  /** Resolves when the process has ended. */
  end(): Promise<void>;
}

function startCopier(signal: AbortSignal): Copier {
  signal.throwIfAborted();
  const child = fork(childFile, { env: environment, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  lowerPriority(child);
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Handled here, because it may fail between two requests.
  failed.catch(() => undefined);
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  child.once('exit', () => {
    fail(new Error('The process that copies the database ended'));
    onEnd();
  });
  child.on('error', (err) => {
    fail(err);
    if (child.pid === undefined) onEnd();
  });

  async function next(): Promise<BackupReply> {
    const reply = await Promise.race([new Promise<BackupReply>((resolve) => child.once('message', resolve)), failed]);
    if (reply.kind !== 'failed') return reply;
    if (reply.isExpected) throw new StartError(reply.message);
    throw Object.assign(new Error(reply.message), { code: reply.code });
  }

  return {
    next,
    request(request) {
      child.send(request);
      return next();
    },
    fail,
    async end() {
      signal.removeEventListener('abort', onAbort);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Lets requests go first when the machine is busy. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, priority);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
