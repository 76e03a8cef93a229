import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readActivity, typesOf } from '../../support/activity.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';

describeOnEveryEngine(
  'GET /api/activity: what changed from what to what',
  (service) => {
    it('200: of a webhook: its settings, but only the host of its URL', async () => {
      const owner = await newClient(service());
      const created = await owner.call('POST', '/api/webhooks', { url: 'http://127.0.0.1:9/token-one', events: ['label.moved'] });
      const path = `/api/webhooks/${(created.body as { id: string }).id}`;
      await owner.call('PATCH', path, { url: 'http://127.0.0.1:9/token-two', enabled: false, events: 'all', description: 'Private' });
      await owner.call('PATCH', path, { enabled: false });
      const { data } = await readActivity(owner, '?type=webhooks');
      assert.deepEqual(
        data.map(({ type }) => type),
        ['webhook_changed', 'webhook_created'],
        'a change without an effect is not recorded',
      );
      const { webhook, changed, previous } = data[0]?.detail ?? {};
      assert.deepEqual(changed, ['url', 'events', 'description', 'enabled']);
      assert.deepEqual([webhook?.host, webhook?.events, webhook?.enabled], ['127.0.0.1:9', 'all', false]);
      assert.deepEqual(previous?.webhook, { events: ['label.moved'], enabled: true });
      assert.doesNotMatch(JSON.stringify(data), /token-|Private/);
    });

    it('200: of a model connection: its name and host, and that its key changed', async () => {
      const owner = await newClient(service());
      const input = { name: 'Local', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-a-secret-key-of-the-provider' };
      const created = await owner.call('POST', '/api/models', input);
      const path = `/api/models/${(created.body as { id: string }).id}`;
      await owner.call('PATCH', path, { name: 'Hosted', apiKey: 'sk-another-secret-key-of-theirs' });
      await owner.call('DELETE', path);
      const { data } = await readActivity(owner, '?type=models');
      assert.deepEqual(
        data.map(({ type, detail }) => [type, detail.model?.name, detail.changed, detail.previous?.model]),
        [
          ['model_deleted', 'Hosted', undefined, undefined],
          ['model_changed', 'Hosted', ['name', 'apiKey'], { name: 'Local' }],
          ['model_created', 'Local', undefined, undefined],
        ],
      );
      assert.doesNotMatch(JSON.stringify(data), /secret-key/);
    });

    it('200: of the daily budget, the protected labels and the name', async () => {
      const owner = await newClient(service());
      for (const change of [{ dailyBudget: { cost: 5, tokens: null } }, { protectedLabels: ['production'] }, { protectedLabels: [] }]) {
        await owner.call('PATCH', '/api/workspace', change);
      }
      await owner.call('PATCH', '/api/account', { name: 'Ada' });
      await owner.call('PATCH', '/api/account', { name: 'Ada' });
      const { data } = await readActivity(owner, '?type=settings');
      assert.deepEqual(
        data.map(({ detail }) => detail),
        [
          { name: 'Ada', previous: { name: 'Test' } },
          { protectedLabels: [], previous: { protectedLabels: ['production'] } },
          { protectedLabels: ['production'], previous: { protectedLabels: [] } },
          { dailyBudget: { cost: 5, tokens: null }, previous: { dailyBudget: { cost: null, tokens: null } } },
        ],
      );
    });

    it('200: entries of earlier versions, which do not say what was before', async () => {
      const owner = await newClient(service());
      const { audit } = service().ctx;
      const by = { userId: owner.userId, name: 'Test' };
      audit({ type: 'workspace_changed', accountId: owner.userId, by, detail: { gatedLabels: ['production'] } });
      audit({ type: 'webhook_changed', accountId: owner.userId, by, detail: { webhook: { id: 'w_1', host: 'example.com' } } });
      audit({ type: 'key_reset', accountId: owner.userId });
      const { data } = await readActivity(owner);
      assert.deepEqual(
        data.map(({ type, by }) => [type, by?.name]),
        [
          ['key_reset', undefined],
          ['webhook_changed', 'Test'],
          ['workspace_changed', 'Test'],
        ],
      );
      assert.deepEqual(await typesOf(owner, '?type=gates'), ['workspace_changed']);
    });
  },
  { env: { OUTBOUND_ALLOW: '127.0.0.1' } },
);
