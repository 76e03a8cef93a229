import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';

describe('the schema', () => {
  it('deletes an account’s rows with it, in every table with an account_id', async () => {
    const sqlite = engines.find(({ name }) => name === 'SQLite');
    assert.ok(sqlite);
    const database = await sqlite.create();
    await (await startService({ database })).close();

    const db = new DatabaseSync(join(database.dataDir, 'promptharbor.db'));
    const owned = db
      .prepare("select m.name from sqlite_schema m join pragma_table_info(m.name) c on c.name = 'account_id' where m.type = 'table'")
      .all()
      .map(({ name }) => String(name));
    assert.ok(owned.includes('sessions') && owned.includes('two_factors') && owned.includes('recovery_codes'), owned.join());
    for (const table of owned) {
      const keys = db.prepare('select "from", on_delete from pragma_foreign_key_list(?)').all(table);
      assert.ok(
        keys.some((key) => key.from === 'account_id' && key.on_delete === 'CASCADE'),
        `${table} keeps rows of deleted accounts`,
      );
    }
    db.close();
    await database.remove();
  });
});
