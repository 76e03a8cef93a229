import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Kysely, KyselyPlugin } from 'kysely';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { PromptQuery } from '../../src/store/prompts/prompt-query.ts';
import { createPromptStore, type ListedRecord } from '../../src/store/prompts/prompts.ts';
import type { Database } from '../../src/store/tables.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

const accountId = 'u_1';
const time = '2026-01-01T00:00:00.000Z';
const idOf = ({ id }: { id: string }) => id;

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
    async function listDuring(query: PromptQuery, change: () => Promise<void>): Promise<ListedRecord[]> {
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
      return createPromptStore(db).list(accountId, query);
    }

    it('a page is full although one of its prompts was deleted: it would be taken for the last', async () => {
      await insertPrompts(['a1', 'a2', 'a3', 'a4']);
      const found = await listDuring({ sort: 'name', limit: 3, tag: 't' }, () =>
        createPromptStore(opened.db).update(accountId, 'a2', { deletedAt: time, updatedAt: time }),
      );
      assert.deepEqual(found.map(idOf), ['a1', 'a3', 'a4']);
    });

    it('a prompt that was renamed behind the others comes once', async () => {
      const many = Array.from({ length: 260 }, (_, index) => `b${String(index).padStart(3, '0')}`);
      await insertPrompts(many);
      const found = await listDuring({ sort: 'name', limit: 1000, tag: 't' }, () =>
        createPromptStore(opened.db).update(accountId, 'b000', { name: 'c', updatedAt: time }),
      );
      assert.deepEqual(
        found.map(idOf).filter((id) => id.startsWith('b')),
        many,
      );
    });

    for (const [sort, others] of [
      ['name', ['d4', 'd5']],
      ['-updatedAt', ['d2', 'd1']],
    ] as const) {
      it(`the next page goes on where the last prompt was found, although it was changed since, by ${sort}`, async () => {
        await opened.db.deleteFrom('prompts').execute();
        await insertPrompts(['d1', 'd2', 'd3', 'd4', 'd5']);
        const change = { name: 'z', updatedAt: '2026-06-01T00:00:00.000Z' };
        const first = await listDuring({ sort, limit: 3, tag: 't' }, () => createPromptStore(opened.db).update(accountId, 'd3', change));
        assert.equal(first.at(-1)?.id, 'd3');
        const next = await createPromptStore(opened.db).list(accountId, { sort, limit: 3, tag: 't', after: first.at(-1)?.position });
        assert.deepEqual(
          next.map(idOf).filter((id) => id !== 'd3'),
          others,
        );
      });
    }
  });
}
