import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { WebhookWithSecret } from '../../src/contract/webhooks.ts';
import type { DispatcherOptions } from '../../src/domain/webhooks/dispatcher.ts';
import { isCampaign } from '../support/campaign.ts';
import { call, register } from '../support/client.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { createRandom } from '../support/random.ts';
import { startInstance, type WebhookInstance } from '../support/webhook-instance.ts';
import { type ReceivedDelivery, startReceiver, verifySignature } from '../support/webhook-receiver.ts';

const kills = isCampaign ? 100 : 1;
const instanceCount = isCampaign ? 3 : 2;
const maxPauseMs = isCampaign ? 1000 : 300;
const promptCount = 10;
const writePauseMs = 20;
/** The number of retries is so high that no webhook is disabled, and the lease is much longer than a request. */
const options: DispatcherOptions = {
  pollIntervalMs: 50,
  idleIntervalMs: 50,
  delaysMs: Array.from({ length: 10_000 }, () => 50),
  timeoutMs: 500,
  leaseMs: 3000,
};
const large = Buffer.alloc(10 * 1024 * 1024, 'x');

describe('webhooks of several instances that are killed, to a receiver that fails', () => {
  it('deliver every event at least once, in order for each prompt, and signed', async (t) => {
    const random = createRandom();
    const started = performance.now();
    let isBroken = true;
    let cut = 0;
    const accepted = new Set<string>();
    const accept = ({ id }: ReceivedDelivery, res: ServerResponse) => {
      accepted.add(id);
      res.writeHead(204).end();
    };
    const failures: Record<string, (delivery: ReceivedDelivery, res: ServerResponse) => void> = {
      error: (_delivery, res) => void res.writeHead(500).end('no'),
      hang: () => {},
      'close midway': (_delivery, res) => void res.socket?.write('HTTP/1.1 20', () => res.destroy()),
      redirect: (_delivery, res) => void res.writeHead(302, { location: '/elsewhere' }).end(),
      'a large error': (_delivery, res) => void res.writeHead(503).end(large),
      'a large success': ({ id }, res) => {
        accepted.add(id);
        res.writeHead(200).end(large);
      },
    };
    const counts: Record<string, number> = {};
    let secret = '';
    /** Signatures are checked when a request arrives, because they expire after five minutes. */
    const wronglySigned: string[] = [];
    /** Deliveries that arrived before an earlier delivery of the same prompt was accepted. */
    const tooEarly: string[] = [];
    const arrived = new Map<string, Set<string>>();
    const receiver = await startReceiver((delivery, res) => {
      try {
        verifySignature(secret, delivery);
      } catch (err) {
        wronglySigned.push(`${delivery.id}: ${String(err)}`);
      }
      const prompt = delivery.body.data.prompt?.id ?? '';
      const earlier = arrived.get(prompt) ?? new Set();
      arrived.set(prompt, earlier.add(delivery.id));
      for (const id of earlier) {
        if (revisionOf(id) < revisionOf(delivery.id) && !accepted.has(id)) tooEarly.push(`${delivery.id} before ${id}`);
      }
      res.once('close', () => {
        if (!res.writableEnded) cut += 1;
      });
      const kind = isBroken && random.below(2) === 0 ? random.pick(Object.keys(failures)) : 'success';
      counts[kind] = (counts[kind] ?? 0) + 1;
      (failures[kind] ?? accept)(delivery, res);
    });
    const database = await postgres.create();
    /** The running instances. A killed instance is replaced while the others continue. */
    const instances = new Set<WebhookInstance>();
    const starting = new Set<Promise<void>>();
    try {
      const first = await startInstance(database, options);
      instances.add(first);
      while (instances.size < instanceCount) instances.add(await startInstance(database, options));
      const { token: key, userId } = await register(first);
      const created = await call(first, 'POST', '/api/webhooks', { key, body: { url: receiver.url } });
      const webhook = created.body as WebhookWithSecret;
      const { id } = webhook;
      secret = webhook.secret;
      for (let index = 0; index < promptCount; index += 1) {
        const body = { name: `prompt-${index}`, template: 'x' };
        assert.equal((await call(first, 'POST', '/api/prompts', { key, body })).status, 201);
      }

      let isWriting = true;
      const write = async () => {
        for (let count = 0; isWriting; count += 1) {
          const path = `/api/prompts/prompt-${random.below(promptCount)}/versions`;
          // The instance may be killed during the request. Everything that was committed is in the database.
          const instance = [...instances][random.below(instances.size)];
          if (instance) await call(instance, 'POST', path, { key, body: { template: `${count}` } }).catch(() => undefined);
          await delay(writePauseMs);
        }
      };
      const writing = write();
      for (let killed = 0; killed < kills; killed += 1) {
        await delay(random.below(maxPauseMs));
        const requests = receiver.received.length;
        // The kill happens while a request is in progress.
        await receiver.until(() => receiver.received.length > requests);
        const victim = random.pick([...instances]);
        instances.delete(victim);
        await victim.kill();
        const start = startInstance(database, options).then((instance) => {
          instances.add(instance);
          starting.delete(start);
        });
        starting.add(start);
        if (instances.size === 0) await Promise.race(starting);
      }
      await Promise.all(starting);
      isWriting = false;
      await writing;
      isBroken = false;

      const expected = await listEvents(database, userId, id);
      await receiver.until(() => expected.every((event) => accepted.has(event)));
      assert.ok(expected.length >= promptCount * 2);
      assert.deepEqual(tooEarly, [], 'no event of a prompt is sent before an earlier one was accepted');
      for (const prompt of arrived.values()) {
        const order = [...prompt].map(revisionOf);
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
          'for each prompt, events are sent for the first time in the order in which they happened',
        );
      }
      assert.deepEqual(wronglySigned, []);
      const hook = (await call(random.pick([...instances]), 'GET', `/api/webhooks/${id}`, { key })).body as { enabled: boolean };
      assert.equal(hook.enabled, true);
      const seconds = Math.round((performance.now() - started) / 1000);
      t.diagnostic(
        `seed ${random.seed}: ${expected.length} events in ${receiver.received.length} requests, ${kills} kills, ` +
          `${cut} requests cut off, ${JSON.stringify(counts)}, ${seconds} s`,
      );
    } finally {
      await Promise.allSettled(starting);
      for (const instance of instances) await instance.kill();
      await receiver.close();
      await database.remove();
    }
  });
});

function revisionOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('_') + 1));
}

/** Reads from the database the ids of all events since the webhook was created, whatever the responses to the writers were. */
async function listEvents({ env }: TestDatabase, accountId: string, webhookId: string): Promise<string[]> {
  const client = new pg.Client(env.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query(
    'select revision from events where account_id = $1 and at >= (select created_at from webhooks where account_id = $1 and id = $2) order by revision',
    [accountId, webhookId],
  );
  await client.end();
  return rows.map(({ revision }) => `evt_${accountId.replace(/^u_/, '')}_${revision}`);
}
