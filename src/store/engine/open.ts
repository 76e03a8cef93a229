import { existsSync } from 'node:fs';
import type { OpenedDatabase } from './opened-database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, sqliteFileIn } from './sqlite.ts';

export interface DatabaseSettings {
  dataDir: string;
  /** A PostgreSQL URL, or undefined for the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** The memory of the embedded database's key index. */
  keyIndexMib?: number;
}

export async function openDatabase({ dataDir, databaseUrl }: DatabaseSettings): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl);
}

export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(sqliteFileIn(dataDir));
}
