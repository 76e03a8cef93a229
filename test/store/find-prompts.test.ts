import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Kysely, KyselyPlugin } from 'kysely';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createPromptStore } from '../../src/store/prompts/prompts.ts';
import type { Database } from '../../src/store/tables.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

const accountId = 'u_1';
const time = '2026-01-01T00:00:00.000Z';

for (const { name, create } of engines) {
  describe(`Finding prompts while they are changed (${name})`, () => {
    let database: TestDatabase;
    let opened: OpenedDatabase;
    before(async () => {
      database = await create();
      opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
      await migrate(opened.db);
      await opened.db
        .insertInto('accounts')
        .values({
          id: accountId,
          email: 'a@example.com',
          name: '',
          password_hash: '',
          key_digest: 'x',
          key_cipher: '',
          key_created_at: time,
          created_at: time,
          updated_at: time,
        })
        .execute();
    });
    after(async () => {
      await opened?.close();
      await database?.remove();
    });

    /** The prompts are named like their ids. */
    async function insertPrompts(ids: string[]): Promise<void> {
      const store = createPromptStore(opened.db);
      for (const id of ids) {
        const times = { createdAt: time, updatedAt: time };
        assert.ok(await store.insert(accountId, { id, name: id, type: 'text', description: '', latestVersion: 1, ...times }));
        await store.replaceTags(accountId, id, ['t']);
      }
    }

    /** Prompts of the page that is read while `change` is made after the first of its queries. */
    async function listDuring(limit: number, change: () => Promise<void>): Promise<string[]> {
      let isChanged = false;
      const afterFirst: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (!isChanged) {
            isChanged = true;
            await change();
          }
          return result;
        },
      };
      const db: Kysely<Database> = opened.db.withPlugin(afterFirst);
      const found = await createPromptStore(db).list(accountId, { sort: 'name', limit, tag: 't' });
      return found.map(({ id }) => id);
    }

    it('a page is full although one of its prompts was deleted: it would be taken for the last', async () => {
      await insertPrompts(['a1', 'a2', 'a3', 'a4']);
      const found = await listDuring(3, () => createPromptStore(opened.db).update(accountId, 'a2', { deletedAt: time, updatedAt: time }));
      assert.deepEqual(found, ['a1', 'a3', 'a4']);
    });

    it('a prompt that was renamed behind the others comes once', async () => {
      const many = Array.from({ length: 260 }, (_, index) => `b${String(index).padStart(3, '0')}`);
      await insertPrompts(many);
      const found = await listDuring(1000, () => createPromptStore(opened.db).update(accountId, 'b000', { name: 'c', updatedAt: time }));
      assert.deepEqual(
        found.filter((id) => id.startsWith('b')),
        many,
      );
    });
  });
}
