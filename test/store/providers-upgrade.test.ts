import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAccountStore } from '../../src/store/accounts/accounts.ts';
import { migrate, migrations } from '../../src/store/migrate.ts';
import { createConnectionStore } from '../../src/store/models/connections.ts';
import { engines } from '../support/engines.ts';
import { withDatabase } from '../support/workspaces.ts';

for (const engine of engines) {
  describe(`model connections after an upgrade (${engine.name})`, () => {
    it('without a protocol get OpenAI’s, and so do connections that an instance of the previous version adds', async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      await withDatabase(database, async (db) => {
        await migrate(
          db,
          migrations.filter(({ id }) => id < 31),
        );
        const account = { id: 'u_1', email: 'a@example.com', name: 'Ada', passwordHash: '', keyDigest: 'a'.repeat(64), keyCipher: '' };
        await createAccountStore(db).insert(account);
        const at = '2026-01-01T00:00:00.000Z';
        const row = {
          account_id: account.id,
          base_url: 'https://a.example/v1',
          models: '[]',
          prices: '{}',
          created_at: at,
          updated_at: at,
        };
        // The row has no protocol, because the previous version does not know this column.
        const insert = (id: string) =>
          db
            .insertInto('model_connections')
            .values({ ...row, id, name: id } as never)
            .execute();
        await insert('m_1');
        await migrate(db);
        await insert('m_2');
        const found = await createConnectionStore(db).list(account.id, { afterId: '', limit: 10 });
        assert.deepEqual(
          found.map(({ id, kind }) => [id, kind]),
          [
            ['m_1', 'openai'],
            ['m_2', 'openai'],
          ],
        );
      });
    });
  });
}
