import type { BackupContent } from './sqlite-verify.ts';

/** What the process that has the database open tells the one that copies it. */
export type BackupRequest =
  /** The database does not change until the reply: checkpoints are paused, so all writes go to its log. */
  { kind: 'copy'; file: string; draft: string } | { kind: 'verify' };

export type BackupReply =
  | { kind: 'ready' }
  | { kind: 'copied' }
  | { kind: 'verified'; content: BackupContent }
  | { kind: 'failed'; message: string; code: string | undefined; isExpected: boolean };
