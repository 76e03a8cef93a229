import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Webhook, WebhookDelivery } from '../../../src/contract/webhooks.ts';
import { engines } from '../../support/engines.ts';
import { assertRefused, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { type Respond, withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, getHook, settled } from '../../support/webhooks.ts';

for (const engine of engines) {
  describe(`Webhooks with the format slack (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env: { OUTBOUND_ALLOW: '127.0.0.1' }, webhooks: fast });
    });
    after(() => service.close());

    /** Sends the event of a new prompt to a receiver that responds like Slack. */
    async function send(respond: Respond) {
      const client = await newClient(service);
      const { promise, resolve } = Promise.withResolvers<{ texts: string[]; deliveries: WebhookDelivery[]; webhook: Webhook }>();
      await withReceiver(respond, async ({ url, received }) => {
        const webhook = await createHook(client, url, { format: 'slack', events: ['prompt.created'] });
        assert.equal(webhook.format, 'slack');
        await client.create({ name: 'greeting', template: 'x' });
        const deliveries = await settled(client, webhook);
        resolve({ texts: received.map(({ text }) => text), deliveries, webhook });
      });
      return { ...(await promise), client };
    }

    it('200 ok: sends a message with blocks, which the list of deliveries shows as its event', async () => {
      const { deliveries, texts } = await send((_delivery, res) => void res.writeHead(200).end('ok'));
      const [message] = texts.map((text) => JSON.parse(text) as { text: string; blocks: object[] });
      assert.match(message?.text ?? '', /created greeting$/);
      assert.ok((message?.blocks.length ?? 0) > 0);
      assert.deepEqual([deliveries[0]?.state, deliveries[0]?.payload?.type], ['delivered', 'prompt.created']);
    });

    it('400 invalid_blocks: is not retried, and the webhook stays enabled', async () => {
      const { deliveries, texts, webhook, client } = await send((_delivery, res) => void res.writeHead(400).end('invalid_blocks'));
      assert.deepEqual([texts.length, deliveries[0]?.state, deliveries[0]?.attempts[0]?.response], [1, 'failed', 'invalid_blocks']);
      assert.equal((await getHook(client, webhook)).enabled, true);
    });

    it('404 no_service, 403 action_prohibited and 410 channel_is_archived: disable the webhook', async () => {
      for (const [status, text] of [
        [404, 'no_service'],
        [403, 'action_prohibited'],
        [410, 'channel_is_archived'],
      ] as const) {
        const { texts, webhook, client } = await send((_delivery, res) => void res.writeHead(status).end(text));
        assert.equal(texts.length, 1);
        let hook = await getHook(client, webhook);
        while (hook.enabled) hook = await getHook(client, webhook);
        assert.match(hook.disabledReason ?? '', new RegExp(String(status)));
      }
    });

    it('429 with Retry-After and 500 rollup_error: are retried', async () => {
      const { deliveries, texts } = await send(({ index }, res) => {
        if (index === 0) res.writeHead(429, { 'retry-after': '1' }).end('rate_limited');
        else if (index === 1) res.writeHead(500).end('rollup_error');
        else res.writeHead(200).end('ok');
      });
      assert.deepEqual([texts.length, deliveries[0]?.state], [3, 'delivered']);
      assert.equal(new Set(texts).size, 1);
    });

    it('json is the default, the format can be changed, and others are refused', async () => {
      const client = await newClient(service);
      const webhook = await createHook(client, 'https://example.com/hooks');
      assert.equal(webhook.format, 'json');
      const changed = await client.call('PATCH', `/api/webhooks/${webhook.id}`, { format: 'slack' });
      assert.equal((changed.body as { format: string }).format, 'slack');
      assertRefused(await client.call('PATCH', `/api/webhooks/${webhook.id}`, { format: 'teams' }), 400, 'invalid_input');
    });
  });
}
