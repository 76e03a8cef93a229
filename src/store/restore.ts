export type { BackupDifferences, ComparedAccount, ReplacedDatabase, StagedBackup } from './engine/sqlite-restore.ts';
export { endRestoredAccess, lockReplaced, sealStaged, stageBackup, verifyBackup } from './engine/sqlite-restore.ts';
