export type { BackupDifferences, ComparedAccount } from './engine/sqlite-differences.ts';
export { lockReplaced, type ReplacedDatabase } from './engine/sqlite-replace.ts';
export { endRestoredAccess, type StagedBackup, sealStaged, stageBackup, verifyBackup } from './engine/sqlite-staged-backup.ts';
