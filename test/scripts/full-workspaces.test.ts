import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { fullWorkspaces, listStatements } from '../../campaigns/hostile/full-workspaces.ts';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';
import { statisticsFileIn } from '../../src/store/engine/sqlite-statistics-file.ts';
import { sqlite as engine } from '../support/engines.ts';

it('The statements that fill the workspaces of the hostile campaign fit the schema', async (t) => {
  const { dataDir, remove } = await engine.createMigrated();
  const sqlite = new DatabaseSync(sqliteFileIn(dataDir));
  t.after(async () => {
    sqlite.close();
    await remove();
  });
  sqlite.prepare('attach ? as statistics').run(statisticsFileIn(dataDir));
  // Preparing a statement checks its tables and columns.
  for (const workspace of fullWorkspaces) for (const statement of listStatements(workspace, 'u_a')) sqlite.prepare(statement);
});
