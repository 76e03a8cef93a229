import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Service } from './service.ts';

/** Reads all files of the data folder and, on PostgreSQL, all rows. */
export async function readStoredContent({ database }: Service): Promise<[place: string, content: string | Buffer][]> {
  const files = await readdir(database.dataDir, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const contents = await Promise.all(paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(path)]));
  if (database.env.DATABASE_URL === undefined) return contents;
  const client = new pg.Client(database.env.DATABASE_URL);
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const rows: [string, string][] = [];
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t`);
      rows.push(...found.rows.map(({ row }): [string, string] => [name, row]));
    }
    assert.ok(rows.length > 0);
    return [...contents, ...rows];
  } finally {
    await client.end();
  }
}
