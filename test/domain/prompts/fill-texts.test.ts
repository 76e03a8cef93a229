import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Kysely } from 'kysely';
import { fillTexts } from '../../../src/domain/prompts/fill-texts.ts';
import { openDatabase } from '../../../src/store/engine/open.ts';
import type { Database } from '../../../src/store/tables.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { clientOf, type ListBody, newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';

/** Changes rows directly, as an instance of an earlier version of the service would. */
async function change<T>({ dataDir, env }: TestDatabase, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const opened = await openDatabase({ dataDir, databaseUrl: env.DATABASE_URL });
  try {
    return await work(opened.db);
  } finally {
    await opened.close();
  }
}

for (const engine of engines) {
  describe(`fillTexts (${engine.name})`, () => {
    it('adds the texts that an earlier version of the service did not write, and removes those that it did not delete', async (t) => {
      const database = await engine.createMigrated();
      t.after(() => database.remove());
      const first = await startService({ database });
      const account = await newClient(first);
      const other = await newClient(first);
      for (const client of [account, other]) {
        for (let index = 0; index < 45; index += 1) await client.create({ name: `p${index}`, template: `needle ${index}` });
        await client.save('p0', { template: 'haystack' });
      }
      await first.close();
      const listTexts = () =>
        change(database, async (db) => {
          const rows = await db.selectFrom('prompt_texts').selectAll().orderBy('prompt_id').orderBy('version').execute();
          return rows.map((row) => ({ ...row }));
        });
      const complete = await listTexts();
      assert.equal(complete.length, 2 * 91, 'each prompt has its name and a version; production of p0 is its first version');

      await change(database, async (db) => {
        await db.deleteFrom('prompt_texts').where('account_id', '=', account.userId).execute();
        await db
          .updateTable('prompts')
          .set({ name: 'former 44', search_name: 'former 44' })
          .where('account_id', '=', other.userId)
          .where('name', '=', 'p44')
          .execute();
        // The test changes the database as if the label had been removed and the version deleted.
        const [labeled] = await db
          .selectFrom('prompt_texts')
          .select('prompt_id')
          .where('account_id', '=', other.userId)
          .where('version', '=', 2)
          .execute();
        assert.ok(labeled);
        await db.deleteFrom('prompt_labels').where('prompt_id', '=', labeled.prompt_id).execute();
        await db
          .updateTable('prompt_versions')
          .set({ content: '', deleted_at: '2026-01-01T00:00:00.000Z' })
          .where('prompt_id', '=', labeled.prompt_id)
          .where('version', '=', 1)
          .execute();
      });
      const second = await startService({ database });
      t.after(() => second.close());
      const count = async (client: typeof account, search: string) => {
        const { data } = await clientOf(second, client).get<ListBody>(`/api/prompts?search=${search}&limit=100`);
        return data.length;
      };
      assert.equal(await count(account, 'needle'), 0);
      assert.equal(await count(account, 'p44'), 0);
      assert.equal(await count(other, 'needle'), 44, 'what was left is not found');
      await Promise.all([fillTexts(second.ctx), fillTexts(second.ctx)]);
      assert.equal(await count(account, 'needle'), 45, 'no cached response is left');
      assert.equal(await count(account, 'haystack'), 1);
      assert.equal(await count(account, 'p44'), 1);
      assert.equal(await count(other, 'p44'), 0, 'it was renamed by an instance of an earlier version');
      assert.equal(await count(other, 'former'), 1);
      assert.equal(await count(other, 'needle'), 44);
      await second.close();
      const filled = await listTexts();
      const isLeft = ({ account_id, version, text }: (typeof complete)[number]) =>
        account_id === other.userId && version === 1 && text === 'needle 0';
      const isRenamed = ({ account_id, version, text }: (typeof complete)[number]) =>
        account_id === other.userId && version === 0 && text.startsWith('p44');
      const expected = complete.filter((row) => !isLeft(row));
      assert.deepEqual(
        filled,
        expected.map((row) => (isRenamed(row) ? { ...row, text: row.text.replace('p44', 'former 44') } : row)),
      );
    });
  });
}
