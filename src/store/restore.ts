export type { BackupDifferences, ComparedAccount, ReplacedDatabase } from './engine/sqlite-restore.ts';
export { endRestoredAccess, lockReplaced, stageBackup } from './engine/sqlite-restore.ts';
