import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { teamPrefix } from '../accounts/team-ids.ts';
import { backupBegunName, canaryName } from '../meta.ts';
import { verifyChecksum } from './backup-checksum.ts';

/** The content of a copy of the embedded database. */
export interface BackupContent {
  bytes: number;
  accounts: number;
  prompts: number;
  versions: number;
  /** When the backup was started. Undefined if the copy was not made as a backup. */
  madeAt: string | undefined;
  /** The encrypted text with which a wrong secret is detected. */
  canary: string;
  /** Whether the copy has a checksum. A copy that was not made as a backup has none, so its content cannot be fully verified. */
  hasChecksum: boolean;
}

/**
 * Reads the whole database and throws a StartError if it is damaged or not a PromptHarbor database. Reading the whole database takes a long
 * time, so the service itself must not call it.
 */
export function verifyDatabase(sqlite: DatabaseSync): BackupContent {
  const problems = sqlite.prepare('pragma integrity_check(5)').all().map(firstValue);
  if (problems.join() !== 'ok') throw new StartError(`The database is damaged: ${problems.join('; ')}`);
  const tables = new Set(sqlite.prepare(`select name from sqlite_schema where type = 'table'`).all().map(firstValue));
  if (!['migrations', 'meta', 'accounts', 'prompts', 'prompt_versions'].every((name) => tables.has(name))) throw notOurs();
  const findMeta = (name: string) => firstValue(sqlite.prepare('select value from meta where name = ?').get(name));
  const [canary, madeAt] = [findMeta(canaryName), findMeta(backupBegunName)];
  if (typeof canary !== 'string') throw notOurs();
  const hasChecksum = verifyChecksum(sqlite);
  const count = (table: string) => Number(firstValue(sqlite.prepare(`select count(*) from ${table}`).get()));
  const bytes = Number(firstValue(sqlite.prepare('select page_count * page_size from pragma_page_count, pragma_page_size').get()));
  return {
    bytes,
    // The rows of team workspaces are not accounts.
    accounts: count(`accounts where id < '${teamPrefix}'`),
    prompts: count('prompts'),
    versions: count('prompt_versions'),
    madeAt: typeof madeAt === 'string' ? madeAt : undefined,
    canary,
    hasChecksum,
  };
}

function notOurs(): StartError {
  return new StartError('This is not a PromptHarbor database.');
}

function firstValue(row: Record<string, unknown> | undefined): unknown {
  return row && Object.values(row)[0];
}
