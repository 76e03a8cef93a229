import type { BackupContent } from './sqlite-verify.ts';

/** The argument of the process that makes a backup, as JSON. */
export interface BackupRequest {
  file: string;
  statisticsFile: string;
  draft: string;
}

export type BackupReply =
  | { kind: 'made'; content: BackupContent }
  | { kind: 'failed'; message: string; code: string | undefined; isExpected: boolean };
