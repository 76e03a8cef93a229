import assert from 'node:assert/strict';
import { it } from 'node:test';
import { explain } from '../support/plans.ts';
import { describeOnEveryEngine, newClient } from '../support/prompts.ts';
import { createHook } from '../support/webhooks.ts';

describeOnEveryEngine('Every query of webhooks', (service) => {
  it('uses an index and sorts nothing', async () => {
    const client = await newClient(service());
    const { id } = await createHook(client, 'https://198.51.101.7/');
    const endpoint = { accountId: client.userId, webhookId: id };
    const { fanOuts, webhookQueues, deliveries, webhooks } = service().ctx.store;
    const plans = await explain(service(), async () => {
      await client.create({ name: 'greeting', template: 'x' });
      for (const accountId of [undefined, client.userId]) {
        const waiting = await webhookQueues.listWaiting({ accountId: '', webhookId: '' }, { limit: 100, accountId });
        assert.deepEqual(
          waiting.filter(({ nextAt }) => nextAt !== null).map(({ webhookId }) => webhookId),
          [id],
        );
      }
      const now = new Date(Date.now() + 60_000).toISOString();
      const [queue] = await webhookQueues.take(endpoint, { now, leaseUntil: now, lease: 'l', limit: 4 });
      assert.ok(queue);
      const [first] = await deliveries.listQueued(queue, 20);
      assert.ok(first);
      await deliveries.update(endpoint, first.revision, { ...first, state: 'delivered' });
      await deliveries.makeDue(endpoint, first.revision);
      await webhookQueues.release(queue, now);
      await webhookQueues.cancelBatch(endpoint);
      await webhookQueues.remove(queue, queue.lastRevision);
      await deliveries.requeue(endpoint, first.revision);
      await deliveries.list(endpoint, { before: first.revision + 1, limit: 50 });
      await service().ctx.store.deleteBefore('webhook_deliveries', new Date(0));
      await webhooks.list(client.userId, { afterId: '', limit: 50 });
      const items = Array.from({ length: 50 }, (_, index) => ({ name: `p${index}`, template: 'x', labels: ['a', 'b', 'c', 'd'] }));
      assert.equal((await client.call('POST', '/api/prompts/batch', { items })).status, 200);
      assert.equal(await fanOuts.findAccount(''), client.userId);
      // Expands concurrently, as several instances would.
      while ((await Promise.all([1, 2, 3].map(() => fanOuts.expand(client.userId)))).includes(true));
      assert.equal(await fanOuts.findAccount(''), undefined);
      assert.equal((await deliveries.list(endpoint, { before: undefined, limit: 1000 })).length, 252);
    });
    const own = plans.filter(({ sql }) => sql.includes('webhook'));
    assert.ok(own.length > 8, String(own.length));
    for (const { sql, steps, scans, sorts } of own) {
      // This query may sort, because it sorts at most 100 rows.
      const unwanted = sql.startsWith('with recursive waiting') ? scans : [...scans, ...sorts];
      assert.deepEqual(unwanted, [], `${sql}\n${steps.join('\n')}`);
    }
  });
});
