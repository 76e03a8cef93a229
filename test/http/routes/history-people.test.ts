import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createPrompt } from '../../../src/domain/prompts/prompts.ts';
import { createVersion } from '../../../src/domain/prompts/versions/versions.ts';
import { createAccountStore } from '../../../src/store/accounts/accounts.ts';
import { digestKey } from '../../../src/store/accounts/key-digest.ts';
import { migrate, migrations } from '../../../src/store/migrate.ts';
import { createPromptStore } from '../../../src/store/prompts/prompts.ts';
import { call, register, signIn } from '../../support/client.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import {
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PersonBody,
  type PromptBody,
  pathOf,
  type VersionBody,
} from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { actorWith, newMember, withDatabase } from '../../support/workspaces.ts';

interface Entry {
  type: string;
  by: PersonBody;
}

describeOnEveryEngine('Who saved a version', (service) => {
  it('is named wherever a version is returned: with a key and in the dashboard', async () => {
    const account = await register(service());
    const client = await newClient(service(), account);
    const { name } = await client.get<{ name: string }>('/api/account');
    const [byApi, byDashboard] = (['api', 'dashboard'] as const).map((via) => ({ userId: account.userId, name, via }));

    const created = await client.create({ name: 'a', template: 'one' });
    assert.deepEqual(created.version.by, byApi);
    const session = { cookie: await signIn(service(), account), headers: { origin: service().url } };
    const saved = await call(service(), 'POST', pathOf('a', '/versions'), { ...session, body: { template: 'two' } });
    assert.deepEqual((saved.body as VersionBody).by, byDashboard);

    const moved = await client.label('a', 'production', 2);
    assert.deepEqual((moved.body as VersionBody).by, byDashboard, 'who saved the version, not who moved the label');
    assert.deepEqual((await client.get<VersionBody>(pathOf('a'))).by, byDashboard);
    assert.deepEqual((await client.get<VersionBody>(pathOf('a', '/versions/1'))).by, byApi);
    const { data: versions } = await client.get<ListBody<VersionBody>>(pathOf('a', '/versions'));
    assert.deepEqual(
      versions.map(({ by }) => by),
      [byDashboard, byApi],
    );
    const { data: prompts } = await client.get<ListBody<PromptBody>>('/api/prompts?include=content');
    assert.deepEqual(
      prompts.map(({ version }) => version?.by),
      [byDashboard],
    );
  });

  it('keeps the name at that time, even after the member renamed the account or left', async () => {
    const client = await newClient(service());
    const { ctx } = service();
    const { userId: accountId } = await newMember(service(), client, 'editor');
    const member = { ...actorWith(client.userId, 'editor', 'session'), accountId };
    await createPrompt(ctx, member, { name: 'a', template: 'one' });
    await createVersion(ctx, { ...member, name: 'Renamed' }, 'a', { template: 'two' });
    await ctx.store.memberships.remove(client.userId, accountId);
    const { data } = await client.get<ListBody<VersionBody>>(pathOf('a', '/versions'));
    assert.deepEqual(
      data.map(({ by }) => by),
      ['Renamed', 'The editor'].map((name) => ({ userId: member.accountId, name, via: 'dashboard' })),
      'it is no member anymore',
    );
    const { data: entries } = await client.get<ListBody<Entry>>(pathOf('a', '/history'));
    assert.deepEqual(
      entries.map(({ type, by }) => [type, by.name]),
      [
        ['version_saved', 'Renamed'],
        ['label_moved', 'The editor'],
        ['created', 'The editor'],
      ],
    );
  });
});

for (const engine of engines) {
  describe(`Versions and history from before workspaces had members (${engine.name})`, () => {
    const token = `ph_${'ab'.repeat(32)}`;
    const account = { userId: 'u_1_1', email: 'a@example.com', password: '', token };
    let database: TestDatabase;
    let service: Service;
    beforeEach(async () => {
      database = await engine.create();
      await withDatabase(database, async (db) => {
        await migrate(
          db,
          migrations.filter(({ id }) => id < 7),
        );
        const { userId: id, email } = account;
        await createAccountStore(db).insert({ id, email, name: 'Ada', passwordHash: '', keyDigest: digestKey(token), keyCipher: '' });
        const at = '2026-01-01T00:00:00.000Z';
        const prompt = { id: 'p_1', name: 'a', type: 'text' as const, description: '', latestVersion: 1, createdAt: at, updatedAt: at };
        await createPromptStore(db).insert(id, prompt);
        const of = { account_id: id, prompt_id: 'p_1' };
        const texts = { content: '"old"', config: '{}', variables: '[]', partials: '[]', message: '' };
        await db
          .insertInto('prompt_versions')
          .values({ ...of, version: 1, ...texts, created_at: at })
          .execute();
        await db
          .insertInto('prompt_events')
          .values({ ...of, id: 'e_1', type: 'created', detail: '{"version":1}', by: 'dashboard', at })
          .execute();
        await sql`insert into prompt_labels (account_id, prompt_id, label, version) values (${id}, 'p_1', 'production', 1)`.execute(db);
      });
      service = await startService({ database });
    });
    afterEach(async () => {
      await service.close();
      await database.remove();
    });

    it('200: name the owner, in responses that are cached too, until the owner takes another name', async () => {
      const client = await newClient(service, account);
      const read = async () => [
        (await client.get<VersionBody>(pathOf('a'))).by,
        (await client.get<ListBody<VersionBody>>(pathOf('a', '/versions'))).data[0]?.by,
        (await client.get<ListBody<PromptBody>>('/api/prompts?include=content')).data[0]?.version?.by,
        (await client.get<ListBody<Entry>>(pathOf('a', '/history'))).data[0]?.by,
      ];
      for (const name of ['Ada', 'Ada Lovelace']) {
        const owner = { userId: account.userId, name };
        const expected = [owner, owner, owner, { ...owner, via: 'dashboard' }];
        assert.deepEqual(await read(), expected);
        assert.deepEqual(await read(), expected);
        await client.call('PATCH', '/api/account', { name: 'Ada Lovelace' });
      }
    });
  });
}
