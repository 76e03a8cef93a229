import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { type Client, describeOnEveryEngine, newClient, pathOf } from '../support/prompts.ts';
import { startService } from '../support/service.ts';

describeOnEveryEngine('The revision of a workspace', (service) => {
  const revisionOf = async ({ token }: Client) =>
    (await service().ctx.store.keys.findAccount(token))?.revision ?? assert.fail('no account');

  it('increases with every write, and is a safe integer', async () => {
    const client = await newClient(service());
    let last = await revisionOf(client);
    await client.create({ name: 'a', template: 'x' });
    for (let write = 0; write < 20; write += 1) {
      const revision = await revisionOf(client);
      assert.ok(revision > last && Number.isSafeInteger(revision), `${revision} after ${last}`);
      assert.equal((await service().ctx.store.accounts.findById(client.userId))?.revision, revision, 'the same wherever it is read');
      last = revision;
      await client.call('PATCH', pathOf('a'), { description: `${write}` });
    }
  });

  it('is not the same after the same number of writes', async () => {
    const [one, other] = [await newClient(service()), await newClient(service())];
    for (const client of [one, other]) for (const name of ['a', 'b']) await client.create({ name, template: 'x' });
    assert.notEqual(await revisionOf(one), await revisionOf(other));
  });
});

describe('GET /api/prompts/{name} after an older backup was restored', () => {
  it('200: different content, although there were as many writes as before the restore', async (t) => {
    const database = await sqlite.create();
    t.after(() => database.remove());
    const file = join(database.dataDir, 'promptharbor.db');
    const backup = join(database.dataDir, 'backup.db');
    const first = await startService({ database });
    const account = await newClient(first);
    await account.create({ name: 'a', template: 'one' });
    await first.close();
    await copyFile(file, backup);

    const before = await startService({ database });
    const poller = await newClient(before, account);
    await poller.save('a', { template: 'lost', labels: ['production'] });
    const etag = (await poller.call('GET', pathOf('a'))).headers.get('etag') ?? '';
    const repeated = await poller.call('GET', pathOf('a'), undefined, { headers: { 'if-none-match': etag } });
    assert.equal(repeated.status, 304);
    await before.close();

    await copyFile(backup, file);
    const restored = await startService({ database });
    t.after(() => restored.close());
    const again = await newClient(restored, account);
    await again.save('a', { template: 'another', labels: ['production'] });
    const response = await again.call('GET', pathOf('a'), undefined, { headers: { 'if-none-match': etag } });
    assert.equal(response.status, 200);
    assert.equal((response.body as { template: string }).template, 'another');
  });
});
