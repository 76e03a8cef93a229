import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WebhookDelivery } from '../../../src/contract/webhooks.ts';
import { isCampaign } from '../../support/campaign.ts';
import { engines } from '../../support/engines.ts';
import { type Client, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { type Respond, withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, listDeliveries, settled } from '../../support/webhooks.ts';

const env = { OUTBOUND_ALLOW: '127.0.0.1' };
const minutes = 60_000;
/** The timeout is much longer than the tests take, so they fail if a silent receiver may use the whole timeout. */
const webhooks = { ...fast, timeoutMs: 10 * minutes, queueLimits: { running: 4, preemptAfterMs: 1000 } };
const hostileAccounts = isCampaign ? 48 : 12;

/** Creates accounts with a webhook and events for it, a few at a time, so that their creation does not overload the service. */
async function createAccounts(
  service: Service,
  url: string,
  count: number,
  hooks = 1,
): Promise<{ client: Client; webhook: { id: string } }[]> {
  const accounts: { client: Client; webhook: { id: string } }[] = [];
  while (accounts.length < count) {
    const added = Array.from({ length: Math.min(5, count - accounts.length) }, () => createAccount(service, url, hooks));
    accounts.push(...(await Promise.all(added)));
  }
  return accounts;
}

async function createAccount(service: Service, url: string, hooks: number): Promise<{ client: Client; webhook: { id: string } }> {
  const client = await newClient(service);
  const webhook = await createHook(client, url, { events: ['prompt.created'] });
  for (let more = 1; more < hooks; more += 1) await createHook(client, url, { events: ['prompt.created'] });
  for (const name of ['a', 'b', 'c']) await client.create({ name, template: 'x' });
  return { client, webhook };
}

for (const engine of engines) {
  describe(`Webhooks in the presence of hostile receivers (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env, webhooks });
    });
    after(() => service.close());

    const hostile: [string, Respond][] = [
      ['never respond', () => undefined],
      ['begin a response and never end it', (_delivery, res) => void res.writeHead(500).write('x')],
      ['accept, and never end their response', (_delivery, res) => void res.writeHead(200).write('x')],
    ];
    for (const [title, respond] of hostile) {
      it(`ASVS 15.2.2: arrive, however many others ${title}`, async () => {
        await withReceiver(respond, async (silent) => {
          await withReceiver(undefined, async (healthy) => {
            const accounts = await createAccounts(service, silent.url, hostileAccounts);
            await silent.until(() => silent.received.length >= 4);
            const [bystander] = await createAccounts(service, healthy.url, 1);
            assert.ok(bystander);
            await healthy.until(() => healthy.accepted.length === 3);
            assert.deepEqual(
              new Set((await settled(bystander.client, bystander.webhook)).map(({ state }) => state)),
              new Set(['delivered']),
            );
            for (const { client, webhook } of accounts) {
              assert.equal((await client.call('DELETE', `/api/webhooks/${webhook.id}`)).status, 204);
            }
          });
        });
      });
    }

    it('ASVS 15.2.2: arrive, even if more webhooks of others wait than can be remembered', async (t) => {
      const small = await startService({
        engine,
        env,
        webhooks: { ...webhooks, queueLimits: { running: 2, waiting: 12, preemptAfterMs: 50 } },
      });
      t.after(() => small.close());
      await withReceiver(
        () => undefined,
        async (silent) => {
          await withReceiver(undefined, async (healthy) => {
            await createAccounts(small, silent.url, 4, 8);
            const [bystander] = await createAccounts(small, healthy.url, 1);
            assert.ok(bystander);
            await healthy.until(() => healthy.accepted.length === 3);
          });
        },
      );
    });

    it('receivers that get less time are tried again, and their owners see why', async () => {
      await withReceiver(
        () => undefined,
        async (silent) => {
          const [first] = await createAccounts(service, silent.url, hostileAccounts);
          assert.ok(first);
          let tried: WebhookDelivery | undefined;
          while (!tried) tried = (await listDeliveries(first.client, first.webhook)).find(({ attempts }) => attempts.length > 0);
          assert.equal(tried.state, 'pending');
          assert.match(
            tried.attempts[0]?.error ?? '',
            /did not respond in time\. Timeouts are shorter while many deliveries are queued\.$/,
          );
          assert.deepEqual([tried.attempts[0]?.status, tried.attempts[0]?.response], [null, null]);
        },
      );
    });

    it('ASVS 15.2.2: a test arrives, however many others test receivers that never respond', async (t) => {
      const other = await startService({ engine, env });
      t.after(() => other.close());
      // The receivers close before the service, so that the service does not wait for tests that get no response.
      await withReceiver(undefined, async (healthy) => {
        const test = (client: Client, { id }: { id: string }) => client.call('POST', `/api/webhooks/${id}/test`);
        let pending: Promise<unknown>[] = [];
        await withReceiver(
          () => undefined,
          async (silent) => {
            const accounts = await createAccounts(other, silent.url, hostileAccounts);
            pending = accounts.map(({ client, webhook }) => test(client, webhook));
            await silent.until(() => silent.received.length === hostileAccounts);
            const [bystander] = await createAccounts(other, healthy.url, 1);
            assert.ok(bystander);
            const { status, body } = await test(bystander.client, bystander.webhook);
            assert.deepEqual([status, (body as WebhookDelivery).state], [200, 'delivered']);
          },
        );
        await Promise.all(pending);
      });
    });
  });
}
