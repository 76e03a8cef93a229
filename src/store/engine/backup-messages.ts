import type { BackupContent } from './sqlite-verify.ts';

/** What the service asks the process for that makes a backup. */
export interface BackupRequest {
  file: string;
  statisticsFile: string;
  draft: string;
}

export type BackupReply =
  | { kind: 'ready' }
  | { kind: 'made'; content: BackupContent }
  | { kind: 'failed'; message: string; code: string | undefined; isExpected: boolean };
