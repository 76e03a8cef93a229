import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sweep } from '../../src/domain/housekeeping.ts';
import { newId } from '../../src/domain/ids.ts';
import { flushActivity, readActivity, typesOf } from '../support/activity.ts';
import { type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../support/prompts.ts';
import type { Service } from '../support/service.ts';

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => Date.now() - days * dayMs;

/** Creates a workspace in which the same things happened on several days. Each change to the settings contains its own day. */
async function createHistory(service: Service, days: number[]): Promise<Client> {
  const owner = await newClient(service);
  const { id } = await owner.create({ name: 'a', template: 'one', labels: [] });
  const by = { userId: owner.userId, name: 'Test', via: 'api' } as const;
  const events = days.map((day) => ({ id: newId('e'), at: new Date(daysAgo(day)).toISOString() }));
  await service.ctx.store.changePrompts(owner.userId, async ({ history }) => {
    for (const event of events) {
      history.add(owner.userId, id, { ...event, type: 'described', detail: '{}', by });
      const moved = { id: newId('e'), at: event.at, by };
      history.add(owner.userId, id, { ...moved, type: 'label_moved', detail: JSON.stringify({ label: 'production', from: null, to: 1 }) });
    }
  });
  await service.ctx.store.activity.add(
    days.map((day) => ({
      accountId: owner.userId,
      id: newId('e'),
      type: 'workspace_changed',
      at: new Date(daysAgo(day)).toISOString(),
      address: null,
      userAgent: null,
      by,
      detail: { name: `${day}` },
    })),
  );
  return owner;
}

const historyOf = async (owner: Client) =>
  (await owner.get<ListBody<{ type: string }>>(pathOf('a', '/history'))).data.map(({ type }) => type);

describeOnEveryEngine(
  'ACTIVITY_RETENTION=60d',
  (service) => {
    it('hides older entries at once, and deletes them, except moves of labels in the history', async () => {
      const owner = await createHistory(service(), [500, 61, 59]);
      const expected = ['workspace_changed', 'label_moved', 'described', 'created'];
      assert.deepEqual(await typesOf(owner), expected);
      const older = new Date(daysAgo(1000)).toISOString();
      assert.deepEqual(await typesOf(owner, `?from=${older}`), expected, 'also if a filter asks for them');
      await sweep(service().ctx);
      assert.deepEqual(await historyOf(owner), ['label_moved', 'label_moved', 'label_moved', 'described', 'created']);
      const rows = await service().ctx.store.activity.list(owner.userId, { beforeId: undefined, limit: 100 });
      assert.deepEqual(
        rows.map(({ detail }) => detail),
        ['{"name":"59"}'],
      );
      assert.deepEqual(await typesOf(owner), expected);
    });

    it('still lets a gated label move back without passing checks', async () => {
      const owner = await newClient(service());
      await owner.create({ name: 'a', template: 'one' });
      await owner.save('a', { template: 'two', labels: ['production'] });
      const checks = [{ kind: 'contains', on: 'prompt', value: 'never' }];
      await owner.call('POST', pathOf('a', '/cases'), { name: 'A case', checks });
      await owner.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
      await flushActivity(service());
      await sweep(service().ctx, new Date(Date.now() + 100 * dayMs));
      assert.deepEqual(await historyOf(owner), ['label_moved', 'label_moved']);
      await owner.label('a', 'production', 1);
    });

    it('still requires approval for a version that was live only under another name', async () => {
      const owner = await newClient(service());
      await owner.create({ name: 'a', template: 'one', labels: ['production'] });
      await owner.save('a', { template: 'two', labels: ['production'] });
      await owner.call('PATCH', pathOf('a'), { name: 'b' });
      await owner.call('PATCH', '/api/workspace', { labelRules: { production: { approvals: 1 } } });
      await flushActivity(service());
      await sweep(service().ctx, new Date(Date.now() + 100 * dayMs));
      const response = await owner.call('PUT', pathOf('b', '/labels/production'), { version: 1 });
      assert.equal((response.body as { code: string }).code, 'approval_required');
    });
  },
  { env: { ACTIVITY_RETENTION: '60d' } },
);

describeOnEveryEngine('Without ACTIVITY_RETENTION', (service) => {
  it('the history of a prompt is kept with it, and other entries for 400 days', async () => {
    const owner = await createHistory(service(), [401, 399]);
    await sweep(service().ctx);
    assert.equal((await historyOf(owner)).length, 5);
    const { data } = await readActivity(owner, '?type=settings');
    assert.deepEqual(
      data.map(({ detail }) => detail.name),
      ['399'],
    );
  });
});
