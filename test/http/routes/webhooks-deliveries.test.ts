import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { type ReceivedDelivery, type Respond, verifySignature, withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, settled } from '../../support/webhooks.ts';

for (const engine of engines) {
  describe(`Deliveries to webhooks (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env: { OUTBOUND_ALLOW: '127.0.0.1' }, webhooks: { ...fast, timeoutMs: 2000 } });
    });
    after(() => service.close());

    it('are signed and report what happened, once for each action and in order', async () => {
      await withReceiver(undefined, async (receiver) => {
        const client = await newClient(service);
        const webhook = await createHook(client, receiver.url);
        const { id } = await client.create({ name: 'greeting', template: 'Hello' });
        await client.save('greeting', { template: 'Hi', labels: ['staging'] });
        await client.label('greeting', 'production', 2);
        await receiver.until(() => receiver.accepted.length === 5);
        const deliveries = await settled(client, webhook);
        assert.deepEqual(
          receiver.received.map(({ body }) => body.type),
          ['prompt.created', 'label.moved', 'version.created', 'label.moved', 'label.moved'],
        );
        for (const delivery of receiver.received) {
          verifySignature(webhook.secret, delivery);
          assert.equal(delivery.headers['content-type'], 'application/json');
          assert.deepEqual(delivery.body.data.prompt, { id, name: 'greeting' });
          assert.equal(delivery.body.data.workspaceId, client.userId);
        }
        const last = receiver.received.at(-1);
        assert.ok(last);
        const { label, from, to, by } = last.body.data;
        assert.deepEqual(
          { label, from, to, by },
          { label: 'production', from: 1, to: 2, by: { userId: client.userId, name: 'Test', via: 'api' } },
        );
        assert.throws(() => verifySignature(webhook.secret, { ...last, text: `${last.text} ` }), 'the exact bytes are signed');
        assert.equal(new Set(receiver.received.map((delivery) => delivery.id)).size, 5);

        assert.deepEqual(
          deliveries.map(({ id: deliveryId, type, state, payload }) => [deliveryId, type, state, payload]),
          receiver.received.toReversed().map((delivery) => [delivery.id, delivery.body.type, 'delivered', delivery.body]),
        );
        const [attempt, ...others] = deliveries[0]?.attempts ?? [];
        assert.deepEqual([attempt?.status, attempt?.error, attempt?.response, others.length], [204, null, null, 0]);
      });
    });

    it('all arrive, in order for each prompt, whatever the receiver does', async () => {
      const failures: Respond[] = [
        (_delivery, res) => void res.writeHead(500).end('broken'),
        () => {}, // hangs
        (_delivery, res) => void res.destroy(),
        (_delivery, res) => void res.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
        (_delivery, res) => void res.writeHead(503).end(Buffer.alloc(10 * 1024 * 1024, 'x')),
      ];
      const respond: Respond = (delivery, res, req) => {
        const fail = failures[delivery.index];
        if (fail) fail(delivery, res, req);
        // A successful response may have a very large body too.
        else res.writeHead(200).end(delivery.index === failures.length ? Buffer.alloc(10 * 1024 * 1024, 'y') : 'ok');
      };
      await withReceiver(respond, async (receiver) => {
        const client = await newClient(service);
        const webhook = await createHook(client, receiver.url, { events: ['version.created'] });
        const names = ['a', 'b', 'c'];
        for (const name of names) await client.create({ name, template: '1', labels: [] });
        for (let version = 2; version <= 5; version += 1) for (const name of names) await client.save(name, { template: String(version) });
        const deliveries = await settled(client, webhook);
        assert.equal(deliveries.length, 12);
        assert.ok(deliveries.every(({ state }) => state === 'delivered'));
        for (const name of names) {
          const versions = receiver.received
            .filter(({ body }) => body.data.prompt?.name === name)
            .map(({ body }) => Number(body.data.version));
          assert.deepEqual([...new Set(versions)], [2, 3, 4, 5], `of ${name}, in order`);
          assert.deepEqual(versions, versions.toSorted(), `of ${name}, none before an earlier one was delivered`);
        }
        for (const delivery of receiver.received) verifySignature(webhook.secret, delivery);
        const attempts = deliveries.flatMap((delivery) => delivery.attempts);
        // On a busy machine, receivers other than the one that hangs may time out as well. No other error is expected.
        const refused = attempts.filter(({ error }) => error !== null && !error.includes('did not respond within'));
        assert.equal(refused.length, failures.length - 1);
        assert.ok(attempts.every(({ response, error }) => response === null || (error !== null && response.length <= 1024)));
        for (const delivery of deliveries) {
          assert.ok(
            delivery.attempts.slice(0, -1).every(({ response }) => response === null),
            'only of the last attempt, if it failed',
          );
        }
        const errors = attempts.map(({ error }) => error).join('\n');
        for (const text of [
          'responded with 500',
          'did not respond within',
          'connection',
          'a redirect, which is not followed',
          'responded with 503',
        ]) {
          assert.ok(errors.includes(text), `${text} in ${errors}`);
        }
        const byId = Map.groupBy(receiver.received, ({ id }: ReceivedDelivery) => id);
        for (const [, same] of byId) assert.equal(new Set(same.map(({ text }) => text)).size, 1, 'a retry is the same message');
      });
    });

    it('of a change with very many events all arrive, in order for each prompt, at the webhooks that existed then', async () => {
      await withReceiver(undefined, async (receiver) => {
        const client = await newClient(service);
        await createHook(client, `${receiver.url}/all`);
        await createHook(client, `${receiver.url}/labels`, { events: ['label.moved'] });
        const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
        const items = names.map((name) => ({ name, template: 'x', labels: ['production', 'staging'] }));
        const saved = await client.call('POST', '/api/prompts/batch', { items });
        assert.equal(saved.status, 200, saved.text);
        await client.save('p0', { template: 'y' });
        await createHook(client, `${receiver.url}/later`);
        await client.save('p1', { template: 'y' });
        // On a busy machine, a response may arrive too late, so that the event is delivered again.
        const listDistinct = () => [...new Map(receiver.accepted.map((one) => [`${one.path} ${one.headers['webhook-id']}`, one])).values()];
        await receiver.until(() => listDistinct().length === 150 + 100 + 1 + 2);
        const typesAt = (path: string, name: string) =>
          listDistinct()
            .filter((delivery) => delivery.path === `/hooks${path}` && delivery.body.data.prompt?.name === name)
            .map(({ body }) => body.type);
        for (const name of names) {
          const later = name === 'p0' || name === 'p1' ? ['version.created'] : [];
          assert.deepEqual(typesAt('/all', name), ['prompt.created', 'label.moved', 'label.moved', ...later], name);
          assert.deepEqual(typesAt('/labels', name), ['label.moved', 'label.moved'], name);
          assert.deepEqual(typesAt('/later', name), name === 'p1' ? ['version.created'] : [], name);
        }
      });
    });

    it('of a prompt whose events are refused do not delay the deliveries of other prompts', async () => {
      const respond: Respond = ({ body }, res) =>
        void res.writeHead(body.data.prompt?.name === 'poison' ? 500 : 204, { 'retry-after': '0' }).end();
      await withReceiver(respond, async (receiver) => {
        const client = await newClient(service);
        await createHook(client, receiver.url, { events: ['prompt.created'] });
        await client.create({ name: 'poison', template: 'x' });
        await client.create({ name: 'fine', template: 'x' });
        await receiver.until(() => receiver.accepted.some(({ body }) => body.data.prompt?.name === 'fine'));
      });
    });
  });
}
