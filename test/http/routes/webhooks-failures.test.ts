import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { WebhookDelivery } from '../../../src/contract/webhooks.ts';
import { startWebhooks } from '../../../src/domain/webhooks/dispatcher.ts';
import { engines, postgres } from '../../support/engines.ts';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.ts';
import { assertRefused, type Client, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { type Respond, verifySignature, withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, getHook, listDeliveries, settled } from '../../support/webhooks.ts';
import { newMember } from '../../support/workspaces.ts';

const env = { OUTBOUND_ALLOW: '127.0.0.1' };

for (const engine of engines) {
  describe(`Webhooks that fail (${engine.name})`, () => {
    let service: Service;
    let mails: MailServer;
    before(async () => {
      mails = await startMailServer();
      service = await startService({ engine, env: { ...env, SMTP_URL: mails.url }, webhooks: fast });
    });
    after(async () => {
      await service.close();
      await mails.close();
    });

    const replay = async (client: Client, webhook: { id: string }, { id }: { id: string }) =>
      client.call('POST', `/api/webhooks/${webhook.id}/deliveries/${id}/replay`);

    it('are tried again in time, however often other workspaces change something', async (t) => {
      const busy = await startService({ engine, env, webhooks: { ...fast, pollIntervalMs: 300, delaysMs: [1, 1, 1] } });
      t.after(() => busy.close());
      let requests = 0;
      const respond: Respond = (_delivery, res) => {
        requests += 1;
        res.writeHead(requests === 1 ? 500 : 204).end();
      };
      await withReceiver(respond, async (receiver) => {
        const [client, other] = [await newClient(busy), await newClient(busy)];
        await createHook(client, receiver.url, { events: ['prompt.created'] });
        await client.create({ name: 'greeting', template: 'x' });
        for (let changes = 0; requests < 2 && changes < 1000; changes += 1) {
          const { status, text } = await other.call('PATCH', '/api/workspace', { protectedLabels: [] });
          assert.equal(status, 200, text);
        }
        assert.equal(requests, 2);
      });
    });

    it('are disabled after the last attempt; the admins are notified, and missed deliveries can be replayed', async () => {
      let works = false;
      const respond: Respond = (_delivery, res) => void res.writeHead(works ? 204 : 500).end('no\0t <now>');
      await withReceiver(respond, async (receiver) => {
        const client = await newClient(service);
        const [admin, editor] = [await newMember(service, client, 'admin'), await newMember(service, client, 'editor')];
        const webhook = await createHook(client, `${receiver.url}?token=hidden`, { events: ['prompt.created', 'version.created'] });
        await client.create({ name: 'greeting', template: '1' });
        await client.save('greeting', { template: '2' });
        const [later, first] = await settled(client, webhook);
        assert.ok(first && later);
        assert.deepEqual([first.state, first.attempts.length, first.nextAttemptAt], ['failed', 10, null]);
        assert.deepEqual([later.state, later.attempts.length, later.nextAttemptAt], ['canceled', 0, null]);
        assert.deepEqual(
          first.attempts.map(({ response }) => response),
          [...Array(9).fill(null), 'no\0t <now>'],
        );
        const { enabled, disabledAt, disabledReason } = await getHook(client, webhook);
        assert.equal(enabled, false);
        assert.ok(disabledAt);
        assert.equal(disabledReason, 'A delivery failed 10 times. The last error: The receiver responded with 500');
        const requests = receiver.received.length;

        await service.ctx.mails.drain(60_000);
        const sent = mails.mails.filter(({ to }) => [client.email, admin.email, editor.email].includes(to[0] ?? ''));
        assert.deepEqual(sent.map(({ to }) => to[0]).sort(), [client.email, admin.email].sort());
        for (const mail of sent) {
          assert.match(partsOf(mail)['text/plain'] ?? '', /responded with 500/);
          assert.ok(!mail.source.includes('hidden'), 'the URL may contain a token');
        }

        await client.call('PATCH', `/api/webhooks/${webhook.id}`, { enabled: false });
        const kept = await getHook(client, webhook);
        assert.deepEqual([kept.enabled, kept.disabledAt, kept.disabledReason], [false, disabledAt, null], "now it is someone's choice");

        await client.save('greeting', { template: '3' });
        assertRefused(await replay(client, webhook, later), 409, 'webhook_disabled');
        works = true;
        assert.equal((await client.call('PATCH', `/api/webhooks/${webhook.id}`, { enabled: true })).status, 200);
        assert.equal((await listDeliveries(client, webhook)).length, 2, 'what happened meanwhile is not sent');
        for (const missed of [first, later]) {
          const response = await replay(client, webhook, missed);
          assert.equal(response.status, 202, response.text);
          assert.equal((response.body as WebhookDelivery).state, 'pending');
        }
        const replayed = await settled(client, webhook);
        assert.deepEqual(
          replayed.map(({ state }) => state),
          ['delivered', 'delivered'],
        );
        const again = receiver.received.slice(requests);
        assert.deepEqual(again.map(({ id }) => id).sort(), [first.id, later.id].sort(), 'with the same webhook-id');
        for (const delivery of again) verifySignature(webhook.secret, delivery);
      });
    });

    it('410 disables at once', async () => {
      await withReceiver(
        (_delivery, res) => void res.writeHead(410).end(),
        async (receiver) => {
          const client = await newClient(service);
          const webhook = await createHook(client, receiver.url);
          await client.create({ name: 'greeting', template: '1' });
          const deliveries = await settled(client, webhook);
          assert.deepEqual(
            deliveries.map(({ state }) => state),
            ['canceled', 'failed'],
          );
          assert.equal(receiver.received.length, 1);
          assert.match((await getHook(client, webhook)).disabledReason ?? '', /410/);
        },
      );
    });

    it('wait as long as Retry-After says', async () => {
      const respond: Respond = ({ index }, res) =>
        void (index === 0 ? res.writeHead(429, { 'retry-after': '3600' }) : res.writeHead(204)).end();
      await withReceiver(respond, async (receiver) => {
        const client = await newClient(service);
        const webhook = await createHook(client, receiver.url, { events: ['prompt.created'] });
        await client.create({ name: 'first', template: '1' });
        await receiver.until(() => receiver.received.length === 1);
        let waiting: WebhookDelivery | undefined;
        while (!waiting?.attempts.length) [waiting] = await listDeliveries(client, webhook);
        const seconds = (Date.parse(waiting.nextAttemptAt ?? '') - Date.now()) / 1000;
        assert.ok(seconds > 3500 && seconds < 4000, String(seconds));
        await client.create({ name: 'second', template: '1' });
        // By the time the other webhook receives the third event, this webhook would have received the second event if it did not have to
        // wait.
        const other = await createHook(client, receiver.url, { events: ['prompt.created'] });
        await client.create({ name: 'third', template: '1' });
        await settled(client, other);
        assert.deepEqual(
          receiver.received.map(({ body }) => body.data.prompt?.name),
          ['first', 'third'],
        );
      });
    });

    it('are signed with both secrets after a rotation', async () => {
      await withReceiver(undefined, async (receiver) => {
        const client = await newClient(service);
        const webhook = await createHook(client, receiver.url, { events: ['prompt.created'] });
        const { secret } = (await client.call('POST', `/api/webhooks/${webhook.id}/rotate-secret`)).body as { secret: string };
        await client.create({ name: 'greeting', template: '1' });
        const [delivery] = await settled(client, webhook);
        const [received] = receiver.received;
        assert.ok(delivery && received);
        for (const valid of [secret, webhook.secret]) {
          verifySignature(valid, received);
          assert.ok(!JSON.stringify(delivery).includes(valid) && !service.logs().includes(valid));
        }
        assert.equal(String(received.headers['webhook-signature']).split(' ').length, 2);
      });
    });

    it('a test is sent once and its result returned, even while the webhook is disabled', async () => {
      let status = 500;
      await withReceiver(
        (_delivery, res) => void res.writeHead(status).end(`status ${status}`),
        async (receiver) => {
          const client = await newClient(service);
          const webhook = await createHook(client, receiver.url, { enabled: false, events: ['label.moved'] });
          const bystander = await createHook(client, receiver.url);
          const send = async () => (await client.call('POST', `/api/webhooks/${webhook.id}/test`)).body as WebhookDelivery;
          const failed = await send();
          assert.deepEqual([failed.type, failed.state, failed.attempts.length], ['test', 'failed', 1]);
          assert.equal(failed.attempts[0]?.response, 'status 500');
          status = 200;
          const delivered = await send();
          assert.deepEqual([delivered.state, delivered.attempts[0]?.status, delivered.attempts[0]?.response], ['delivered', 200, null]);
          assert.deepEqual(
            receiver.received.map(({ id }) => id),
            [failed.id, delivered.id],
          );
          for (const delivery of receiver.received) verifySignature(webhook.secret, delivery);
          assert.deepEqual(await listDeliveries(client, bystander), []);
          assert.deepEqual(await listDeliveries(client, webhook), [delivered, failed]);
        },
      );
    });

    it('a deleted or disabled webhook gets nothing more, and key resets are sent', async () => {
      await withReceiver(undefined, async (receiver) => {
        const client = await newClient(service);
        const [deleted, disabled, kept] = [
          await createHook(client, receiver.url),
          await createHook(client, receiver.url),
          await createHook(client, receiver.url, { events: ['key.reset', 'member.added'] }),
        ];
        assert.equal((await client.call('DELETE', `/api/webhooks/${deleted.id}`)).status, 204);
        assert.equal((await client.call('PATCH', `/api/webhooks/${disabled.id}`, { enabled: false })).status, 200);
        await client.create({ name: 'greeting', template: '1' });
        assert.equal((await client.call('DELETE', '/api/auth/token')).status, 200);
        await receiver.until(() => receiver.accepted.length === 1);
        const [only] = receiver.received;
        assert.ok(only);
        assert.equal(only.body.type, 'key.reset');
        verifySignature(kept.secret, only);
      });
    });

    it('a queue whose instance was killed is sent when the lease ends', async () => {
      await withReceiver(undefined, async (receiver) => {
        const quiet = await startService({ engine, env });
        try {
          const client = await newClient(quiet);
          const webhook = await createHook(client, receiver.url, { events: ['prompt.created'] });
          await client.create({ name: 'greeting', template: '1' });
          const { webhookQueues } = quiet.ctx.store;
          const endpoint = { accountId: client.userId, webhookId: webhook.id };
          const now = new Date().toISOString();
          const leaseUntil = new Date(Date.now() + 500).toISOString();
          const [killed] = await webhookQueues.take(endpoint, { now, leaseUntil, lease: 'of the killed', limit: 10 });
          assert.ok(killed);
          assert.deepEqual(await webhookQueues.take(endpoint, { now, leaseUntil, lease: 'of another', limit: 10 }), []);
          const dispatcher = startWebhooks(quiet.ctx, { ...fast, onError: assert.ifError });
          await receiver.until(() => receiver.accepted.length === 1);
          assert.ok(new Date().toISOString() >= leaseUntil);
          await settled(client, webhook);
          await dispatcher.stop();
          await webhookQueues.release(killed, now);
          assert.equal(await webhookQueues.remove(killed, killed.lastRevision), false, 'an old lease has no effect');
        } finally {
          await quiet.close();
        }
      });
    });

    it('a stop ends a request that hangs, and the next start sends it again', async () => {
      const respond: Respond = ({ index }, res) => {
        if (index > 0) res.writeHead(204).end();
      };
      await withReceiver(respond, async (receiver) => {
        const quiet = await startService({ engine, env });
        try {
          const client = await newClient(quiet);
          const webhook = await createHook(client, receiver.url, { events: ['prompt.created'] });
          await client.create({ name: 'greeting', template: '1' });
          const start = () => startWebhooks(quiet.ctx, { ...fast, timeoutMs: 60_000, onError: assert.ifError });
          const first = start();
          await receiver.until(() => receiver.received.length === 1);
          await first.stop();
          const [interrupted] = await listDeliveries(client, webhook);
          assert.deepEqual([interrupted?.state, interrupted?.attempts], ['pending', []]);
          const second = start();
          await settled(client, webhook);
          await second.stop();
          assert.deepEqual(new Set(receiver.received.map(({ id }) => id)).size, 1);
        } finally {
          await quiet.close();
        }
      });
    });

    it('a stop waits until the database was read, since it is closed next', async () => {
      const quiet = await startService({ engine, env });
      try {
        const { store } = quiet.ctx;
        const reading = Promise.withResolvers<void>();
        const read = Promise.withResolvers<void>();
        const webhookQueues: typeof store.webhookQueues = {
          ...store.webhookQueues,
          async listWaiting() {
            reading.resolve();
            await read.promise;
            return [];
          },
        };
        const dispatcher = startWebhooks({ ...quiet.ctx, store: { ...store, webhookQueues } }, { ...fast, onError: assert.ifError });
        await reading.promise;
        let isStopped = false;
        const stopped = dispatcher.stop().then(() => {
          isStopped = true;
        });
        await setImmediate();
        assert.equal(isStopped, false);
        read.resolve();
        await stopped;
      } finally {
        await quiet.close();
      }
    });
  });
}

describe('Webhooks of two instances', () => {
  it('share the work: each event once, in order for each prompt', async () => {
    const first = await startService({ engine: postgres, env, webhooks: fast });
    const second = await startService({ database: first.database, env, webhooks: fast });
    try {
      await withReceiver(undefined, async (receiver) => {
        const client = await newClient(first);
        const elsewhere = await newClient(second, client);
        const webhook = await createHook(client, receiver.url, { events: ['version.created'] });
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        for (const name of names) await client.create({ name, template: '1', labels: [] });
        await Promise.all(
          names.map(async (name, index) => {
            for (let version = 2; version <= 9; version += 1)
              await ((index + version) % 2 ? client : elsewhere).save(name, { template: String(version) });
          }),
        );
        const deliveries = await settled(client, webhook);
        assert.equal(deliveries.length, 48);
        assert.ok(deliveries.every(({ state, attempts }) => state === 'delivered' && attempts.length === 1));
        assert.equal(receiver.received.length, 48);
        for (const name of names) {
          const versions = receiver.received.filter(({ body }) => body.data.prompt?.name === name).map(({ body }) => body.data.version);
          assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9], name);
        }
      });
      const counts = [first, second].map(({ ctx }) => ctx.webhookMetrics.delivered);
      assert.equal(counts[0] ?? 0, 48 - (counts[1] ?? 0));
    } finally {
      await second.close();
      await first.close();
    }
  });
});
