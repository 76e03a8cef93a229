import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createAccountStore } from '../../src/store/accounts/accounts.ts';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import { migrate, migrations } from '../../src/store/migrate.ts';
import { createPromptStore } from '../../src/store/prompts/prompts.ts';
import { readActivity } from '../support/activity.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';
import { withDatabase } from '../support/workspaces.ts';

const token = `ph_${'ab'.repeat(32)}`;
const account = { userId: 'u_mhz1k3p0_0001', email: 'a@example.com', password: '', token };
const idAt = (time: string, suffix: string) => `e_${Date.parse(time).toString(36)}_${suffix}`;
const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];

for (const engine of engines) {
  describe(`GET /api/activity after an upgrade (${engine.name})`, () => {
    let database: TestDatabase;
    let service: Service;
    beforeEach(async () => {
      database = await engine.create();
      await withDatabase(database, async (db) => {
        await migrate(
          db,
          migrations.filter(({ id }) => id < 28),
        );
        const { userId: id, email } = account;
        await createAccountStore(db).insert({ id, email, name: 'Ada', passwordHash: '', keyDigest: digestKey(token), keyCipher: '' });
        const promptId = `p_${Date.parse(first).toString(36)}_0`;
        const prompt = { id: promptId, name: 'a', type: 'text' as const, description: '', latestVersion: 1 };
        await createPromptStore(db).insert(id, { ...prompt, createdAt: first, updatedAt: first });
        const change = { account_id: id, prompt_id: promptId, id: idAt(first, '1'), type: 'created', detail: '{"version":1}', at: first };
        await db
          .insertInto('prompt_events')
          .values({ ...change, by: 'dashboard' })
          .execute();
        await db
          .insertInto('account_events')
          .values([
            { account_id: id, id: idAt(second, '1'), type: 'workspace_changed', at: second, detail: '{"gatedLabels":["production"]}' },
            { account_id: id, id: idAt(second, '2'), type: 'sign_in', at: second, address: '203.0.113.7' },
          ])
          .execute();
      });
      service = await startService({ database });
    });
    afterEach(async () => {
      await service.close();
      await database.remove();
    });

    it('200: lists entries from before it, with the owner as the author of old changes', async () => {
      const client = await newClient(service, account);
      const { data } = await readActivity(client);
      assert.deepEqual(
        data.map(({ type, by, detail }) => [type, by?.name, detail]),
        [
          ['workspace_changed', undefined, { gatedLabels: ['production'] }],
          ['created', 'Ada', { version: 1 }],
        ],
      );
      const byOwner = await readActivity(client, `?by=${account.userId}&to=${second}`);
      assert.deepEqual(
        byOwner.data.map(({ type }) => type),
        ['created'],
      );
    });
  });
}
