import assert from 'node:assert/strict';
import { it } from 'node:test';
import { explain } from '../support/plans.ts';
import { describeOnEveryEngine, newClient } from '../support/prompts.ts';

describeOnEveryEngine('Every query of models, runs and checks', (service) => {
  it('uses an index and sorts nothing', async () => {
    const client = await newClient(service());
    const { store } = service().ctx;
    const accountId = client.userId;
    const owner = { accountId, promptId: 'p_a' };
    const kept = { perPrompt: 1, perWorkspace: 1, bytesPerWorkspace: 1 };
    const row = { createdAt: new Date().toISOString(), summary: '{}', detail: '{}' };
    const plans = await explain(service(), async () => {
      await store.connections.list(accountId, { afterId: '', limit: 50 });
      await store.connections.find(accountId, 'm_a');
      await store.connections.findByName(accountId, 'A');
      await store.connections.count(accountId);
      await store.modelUsage.add(accountId, '2026-01-01', { tokens: 1, cost: 0.5 });
      await store.modelUsage.find(accountId, '2026-01-01');
      await store.deleteBefore('model_usage', new Date('2026-01-01'));
      for (const id of ['r_1', 'r_2', 'r_3']) await store.runs.insert(owner, { id, ...row }, kept);
      await store.runs.list(owner, { before: 'r_9', limit: 50 });
      await store.runs.find(owner, 'r_3');
      await store.deleteBefore('prompt_runs', new Date(0));
      const check = { ...row, version: 1, contentDigest: 'c', hasPassed: true, casesDigest: 'd' };
      for (const id of ['k_1', 'k_2', 'k_3']) await store.checks.insert(owner, { id, ...check }, kept);
      await store.checks.list(owner, { before: 'k_9', limit: 50 });
      await store.checks.list(owner, { version: 1, before: 'k_9', limit: 50 });
      assert.equal(await store.checks.havePassed(owner, { version: 1, casesDigest: 'd' }), true);
      assert.equal(await store.checks.havePassed(owner, { version: 2, casesDigest: 'd' }), false);
      assert.equal(await store.checks.havePassed(owner, { version: 2, contentDigest: 'c', casesDigest: 'd' }), true, 'the same content');
      assert.equal(await store.checks.havePassed(owner, { contentDigest: 'c', casesDigest: 'other' }), false);
      await store.cases.list(owner, { afterId: '', limit: 50 });
      await store.cases.listDigests(owner);
      await store.cases.find(owner, 'c_1');
    });
    assert.ok(plans.length > 15, String(plans.length));
    for (const { sql, steps, scans, sorts } of plans) assert.deepEqual([...scans, ...sorts], [], `${sql}\n${steps.join('\n')}`);
  });
});
