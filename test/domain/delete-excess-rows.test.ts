import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maxAccountActivity } from '../../src/contract/limits.ts';
import { deleteExcessRows } from '../../src/domain/delete-excess-rows.ts';
import { sweep } from '../../src/domain/housekeeping.ts';
import { explain } from '../support/plans.ts';
import { type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../support/prompts.ts';

const webhookIds = ['w_one', 'w_other'];
const all = 100_000;

describeOnEveryEngine('deleteExcessRows', (service) => {
  const listEvents = async ({ userId }: Client) =>
    (await service().ctx.store.events.list(userId, { after: 0, limit: all })).map(({ revision }) => revision);

  const listDeliveries = async ({ userId: accountId }: Client, webhookId: string) =>
    (await service().ctx.store.deliveries.list({ accountId, webhookId }, { before: undefined, limit: all }))
      .map(({ revision }) => revision)
      .reverse();

  const listHistory = async (client: Client, name: string) =>
    (await client.get<ListBody<{ version?: number }>>(pathOf(name, '/history?limit=100'))).data.map(({ version }) => version);

  const listActivity = async ({ userId }: Client) =>
    (await service().ctx.store.activity.list(userId, { beforeId: undefined, limit: all })).map(({ id }) => id);

  async function addWebhooks({ userId }: Client): Promise<void> {
    const now = new Date().toISOString();
    const webhook = {
      url: 'https://example.com',
      events: null,
      description: '',
      format: 'json' as const,
      secretCipher: '',
      previousSecret: null,
      disabled: null,
    };
    for (const id of webhookIds) await service().ctx.store.webhooks.insert(userId, { ...webhook, id, createdAt: now, updatedAt: now });
  }

  async function addDeliveries(client: Client): Promise<void> {
    const finished = { type: 'version.created', state: 'delivered' as const, failures: 0, attempts: [], nextAttemptAt: null };
    for (const revision of await listEvents(client)) {
      for (const webhookId of webhookIds) {
        const delivery = { ...finished, revision, createdAt: new Date().toISOString() };
        await service().ctx.store.deliveries.insertFinished({ accountId: client.userId, webhookId }, delivery);
      }
    }
  }

  const idOf = (number: number) => `a_${String(number).padStart(6, '0')}`;

  async function addActivity({ userId: accountId }: Client, count: number): Promise<void> {
    const rest = { accountId, type: 'key_reset', at: new Date().toISOString(), address: null, userAgent: null };
    const events = Array.from({ length: count }, (_each, index) => ({ ...rest, id: idOf(index) }));
    await service().ctx.store.activity.add(events);
  }

  it('keeps the newest events with their deliveries, and the newest history and activity, of each account', async () => {
    const [large, small] = [await newClient(service()), await newClient(service())];
    for (const client of [large, small]) await client.create({ name: 'one', template: 'x' });
    await large.create({ name: 'other', template: 'x' });
    for (const template of ['a', 'b', 'c']) for (const name of ['one', 'other']) await large.save(name, { template });
    for (const client of [large, small]) {
      await addDeliveries(client);
      await addWebhooks(client);
    }
    await addActivity(large, 12);
    await addActivity(small, 5);
    const events = await listEvents(large);
    const eventsOfSmall = await listEvents(small);
    assert.ok(events.length > 4 && eventsOfSmall.length <= 4);

    await deleteExcessRows(service().ctx, { kept: { events: 4, deliveries: all, history: 5, activity: 5 } });
    assert.deepEqual(await listEvents(large), events.slice(-4));
    for (const webhookId of webhookIds) assert.deepEqual(await listDeliveries(large, webhookId), events.slice(-4));
    // Each prompt keeps an equal share of the entries.
    assert.deepEqual(
      [await listHistory(large, 'one'), await listHistory(large, 'other')],
      [
        [4, 3],
        [4, 3],
      ],
    );
    assert.deepEqual(await listActivity(large), [11, 10, 9, 8, 7].map(idOf));

    assert.deepEqual(await listEvents(small), eventsOfSmall);
    for (const webhookId of webhookIds) assert.deepEqual(await listDeliveries(small, webhookId), eventsOfSmall);
    assert.equal((await listHistory(small, 'one')).length, 2);
    assert.equal((await listActivity(small)).length, 5);
  });

  it('keeps the newest activity of each type, so that a flood of one type removes no other entry', async () => {
    const client = await newClient(service());
    const rest = { accountId: client.userId, at: new Date().toISOString(), address: null, userAgent: null };
    await service().ctx.store.activity.add([{ ...rest, id: 'a_0', type: 'workspace_changed' }]);
    await addActivity(client, 1200);
    await deleteExcessRows(service().ctx, { kept: { events: all, deliveries: all, history: all, activity: 5 } });
    assert.deepEqual(await listActivity(client), [...[1199, 1198, 1197, 1196, 1195].map(idOf), 'a_0']);
  });

  it('keeps the newest deliveries with an equal share for each webhook, all pending ones, and none of a deleted webhook', async () => {
    const { deliveries } = service().ctx.store;
    const client = await newClient(service());
    await client.create({ name: 'one', template: 'x' });
    for (const template of ['a', 'b', 'c']) await client.save('one', { template });
    await addDeliveries(client);
    await addWebhooks(client);
    const events = await listEvents(client);
    const [first = 0] = events;
    const removed = { accountId: client.userId, webhookId: 'w_removed' };
    const createdAt = new Date().toISOString();
    const attempts = [{ at: createdAt, status: 204, durationMs: 1, error: null, response: null }];
    const delivery = { type: 'test', state: 'delivered' as const, failures: 0, attempts, nextAttemptAt: null, createdAt };
    for (const revision of events) await deliveries.insertFinished(removed, { ...delivery, revision });
    await deliveries.requeue({ accountId: client.userId, webhookId: 'w_one' }, first);

    await deleteExcessRows(service().ctx, { kept: { events: all, deliveries: 4, history: all, activity: all } });
    assert.deepEqual(await listEvents(client), events);
    assert.deepEqual(await listDeliveries(client, 'w_one'), [first, ...events.slice(-2)]);
    assert.deepEqual(await listDeliveries(client, 'w_other'), events.slice(-2));
    assert.deepEqual(await listDeliveries(client, 'w_removed'), []);
  });

  it('a sweep deletes all excess rows, however many, and none of an account that is exactly at the limit', async () => {
    const [large, full] = [await newClient(service()), await newClient(service())];
    await addActivity(large, maxAccountActivity + 1200);
    await addActivity(full, maxAccountActivity);
    await sweep(service().ctx);
    const left = await listActivity(large);
    assert.deepEqual([left.length, left[0], left.at(-1)], [maxAccountActivity, idOf(maxAccountActivity + 1199), idOf(1200)]);
    assert.equal((await listActivity(full)).length, maxAccountActivity);
  });
});

describeOnEveryEngine('Every query for excessRows', (service) => {
  it('uses an index and sorts nothing', async () => {
    const client = await newClient(service());
    await client.create({ name: 'one', template: 'x' });
    const { excessRows, deliveries } = service().ctx.store;
    const delivery = {
      revision: 1,
      type: 'test',
      state: 'delivered' as const,
      failures: 0,
      attempts: [],
      nextAttemptAt: null,
      createdAt: '',
    };
    await deliveries.insertFinished({ accountId: client.userId, webhookId: 'w_one' }, delivery);
    const event = { id: 'a_0', at: '', address: null, userAgent: null };
    await service().ctx.store.activity.add([{ accountId: client.userId, type: 'key_reset', ...event }]);
    const plans = await explain(service(), async () => {
      await excessRows.listAccounts('', { limit: 50, rows: 1 });
      await excessRows.hasMoreHistory(client.userId, 1);
      await excessRows.listWebhooks(client.userId);
      const { userId: accountId } = client;
      const webhookId = await excessRows.findGroup('deliveries', accountId, '');
      const promptId = await excessRows.findGroup('history', accountId, '');
      const type = await excessRows.findGroup('activity', accountId, '');
      assert.deepEqual([webhookId, type], ['w_one', 'key_reset']);
      assert.ok(promptId);
      const kinds = [{ kind: 'events' }, { kind: 'activity', groupId: 'key_reset' }, { kind: 'history', groupId: promptId }] as const;
      for (const rows of [...kinds, { kind: 'deliveries', groupId: webhookId } as const]) {
        const newest = (await excessRows.findFirst({ ...rows, accountId }, 0)) ?? '';
        await excessRows.delete({ ...rows, accountId }, newest, { withWaiting: true });
        await excessRows.delete({ ...rows, accountId }, newest);
      }
    });
    assert.equal(plans.length, 19);
    for (const { sql, steps, scans, sorts } of plans) assert.deepEqual([...scans, ...sorts], [], `${sql}\n${steps.join('\n')}`);
  });
});
