import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { openDatabase } from '../../../src/store/engine/open.ts';
import { migrate, migrations } from '../../../src/store/migrate.ts';
import { engines } from '../../support/engines.ts';
import { assertRefused, type Client, newClient, pathOf } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

const dayMs = 24 * 60 * 60 * 1000;
const env = { QUOTA_PROMPTS: '3', QUOTA_VERSIONS: '6', QUOTA_CONTENT_MIB: '1' };

for (const engine of engines) {
  describe(`Quotas (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env });
    });
    after(() => service.close());

    const create = (client: Client, name: string, template = 'x') => client.call('POST', '/api/prompts', { name, template });
    const save = (client: Client, name: string, template = 'y') => client.call('POST', pathOf(name, '/versions'), { template });

    it('403: a prompt too many, even when they are created at once; the text names the setting', async () => {
      const client = await newClient(service);
      const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => create(client, `p${index}`)));
      const refused = responses.filter(({ status }) => status !== 201);
      assert.equal(refused.length, 5);
      for (const response of refused)
        assert.match(assertRefused(response, 403, 'quota_exceeded').error, /at most 3 prompts.*QUOTA_PROMPTS/);
      assert.equal((await client.get<{ data: unknown[] }>('/api/prompts')).data.length, 3, 'nothing is left of a refused one');
    });

    it('403: a version too many, and all else goes on working', async () => {
      const client = await newClient(service);
      await client.create({ name: 'a', template: 'x' });
      const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => save(client, 'a', `${index}`)));
      const refused = responses.filter(({ status }) => status !== 201);
      assert.equal(refused.length, 3);
      for (const response of refused) assert.match(assertRefused(response, 403, 'quota_exceeded').error, /QUOTA_VERSIONS/);
      assertRefused(await create(client, 'b'), 403, 'quota_exceeded');
      assert.equal((await client.get<{ version: number }>(`${pathOf('a')}?label=latest`)).version, 6);
      await client.label('a', 'production', 6);
      assert.equal((await client.call('PATCH', pathOf('a'), { description: 'x' })).status, 200);
    });

    it('403: too many bytes of content, counted as bytes', async () => {
      const client = await newClient(service);
      await client.create({ name: 'a', template: '語'.repeat(200_000) });
      assert.match(assertRefused(await create(client, 'b', '語'.repeat(200_000)), 403, 'quota_exceeded').error, /1 MiB.*QUOTA_CONTENT_MIB/);
      assert.equal((await create(client, 'b', 'small')).status, 201);
    });

    it('201: another workspace has quotas of its own', async () => {
      const full = await newClient(service);
      for (const name of ['a', 'b', 'c']) await full.create({ name, template: 'x' });
      assertRefused(await create(full, 'd'), 403, 'quota_exceeded');
      await (await newClient(service)).create({ name: 'd', template: 'x' });
    });

    it('a refused save, such as of a taken name, uses up nothing', async () => {
      const client = await newClient(service);
      await client.create({ name: 'a', template: 'x' });
      for (let index = 0; index < 4; index += 1) assertRefused(await create(client, 'a'), 409, 'name_taken');
      await client.create({ name: 'b', template: 'x' });
      await client.create({ name: 'c', template: 'x' });
    });

    it('prompts in the bin count until they are removed', async () => {
      const client = await newClient(service);
      for (const name of ['a', 'b', 'c']) await client.create({ name, template: 'x' });
      await client.call('DELETE', pathOf('a'));
      assertRefused(await create(client, 'd'), 403, 'quota_exceeded');
      assert.equal((await client.call('POST', pathOf('a', '/restore'))).status, 200);
      await client.call('DELETE', pathOf('a'));
      await sweep(service.ctx, new Date(Date.now() + 31 * dayMs));
      assert.equal((await create(client, 'd')).status, 201);
      assertRefused(await create(client, 'e'), 403, 'quota_exceeded');
    });
  });

  describe(`Quotas after an upgrade (${engine.name})`, () => {
    it('403: what was stored before counts', async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
      await migrate(opened.db, migrations.slice(0, 4));
      const at = new Date().toISOString();
      for (const id of ['u_old', 'u_empty']) {
        const credentials = { password_hash: '', key_digest: id, key_cipher: '', key_created_at: at };
        const times = { created_at: at, updated_at: at };
        await opened.db
          .insertInto('accounts')
          .values({ id, email: id, name: '', ...credentials, ...times })
          .execute();
      }
      for (const id of ['p_1', 'p_2']) {
        const texts = { name: id, search_name: id, type: 'text' as const, description: '', search_description: '' };
        const times = { created_at: at, updated_at: at, deleted_at: id === 'p_1' ? at : null };
        await opened.db
          .insertInto('prompts')
          .values({ account_id: 'u_old', id, ...texts, latest_version: 2, ...times })
          .execute();
        for (const version of [1, 2]) {
          const json = { content: '"é"', config: '{}', variables: '[]', partials: '[]', message: '' };
          await opened.db
            .insertInto('prompt_versions')
            .values({ account_id: 'u_old', prompt_id: id, version, ...json, created_at: at })
            .execute();
        }
      }
      await migrate(opened.db);
      const counts = await opened.db.selectFrom('accounts').select(['id', 'prompt_count', 'version_count', 'content_bytes']).execute();
      await opened.close();
      assert.deepEqual(counts.map((row) => Object.values(row)).sort(), [
        ['u_empty', 0, 0, 0],
        ['u_old', 2, 4, 24],
      ]);
    });
  });
}
