import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage } from '../../support/browser.ts';
import { register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { verifyAddress } from '../../support/links.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { type Client, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, getHook, settled } from '../../support/webhooks.ts';

for (const engine of engines) {
  describe(`Email about webhooks that were disabled (${engine.name})`, () => {
    let service: Service;
    let mailServer: MailServer;
    /** Decides whether the mail server accepts, refuses or delays an email. */
    let accept: (to: string) => Promise<void> = async () => {};
    before(async () => {
      mailServer = await startMailServer(({ to }) => accept(to[0] ?? ''));
      service = await startService({ engine, env: { OUTBOUND_ALLOW: '127.0.0.1', SMTP_URL: mailServer.url }, webhooks: fast });
    });
    after(async () => {
      await service.close();
      await mailServer.close();
    });

    const noticesTo = ({ email }: { email: string }) =>
      mailServer.mails.filter(({ to, source }) => to.includes(email) && source.includes('was disabled'));

    /** Repeatedly enables a webhook that is disabled each time, because its receiver responds with 410. */
    async function disableOften(client: Client, url: string, times: number): Promise<void> {
      const webhook = await createHook(client, url, { events: ['prompt.created'] });
      for (let count = 0; count < times; count += 1) {
        await client.call('PATCH', `/api/webhooks/${webhook.id}`, { enabled: true });
        await client.create({ name: `${webhook.id}/${count}`, template: 'x' });
        await settled(client, webhook);
        while ((await getHook(client, webhook)).enabled) await settled(client, webhook);
      }
    }

    const withGoneReceiver = (use: (url: string) => Promise<void>) =>
      withReceiver(
        (_delivery, res) => void res.writeHead(410).end(),
        ({ url }) => use(url),
      );

    it('is sent once a day for a webhook, however often it is enabled and disabled', async () => {
      await withGoneReceiver(async (url) => {
        const client = await newClient(service);
        await disableOften(client, url, 10);
        await service.ctx.mails.drain(60_000);
        assert.equal(noticesTo(client).length, 1);
        const lines = service.logs().split('\n');
        const refused = lines.filter((line) => line.includes('an email was not sent') && line.includes(client.userId));
        assert.equal(refused.length, 9);
        assert.ok(
          refused.every(
            (line) =>
              line.includes('"mail":"notification"') &&
              line.includes('"reason":"an email about this webhook was sent in the last 24 hours"'),
          ),
        );
        assert.ok(!refused.join().includes(client.email));
      });
    });

    it('is sent a few times an hour to an address, however many webhooks there are', async () => {
      await withGoneReceiver(async (url) => {
        const client = await newClient(service);
        for (let count = 0; count < 6; count += 1) await disableOften(client, url, 1);
        await service.ctx.mails.drain(60_000);
        assert.equal(noticesTo(client).length, 3);
      });
    });

    it('is not sent to an address that nobody has verified, of the owner or of an admin', async () => {
      await withGoneReceiver(async (url) => {
        const client = await newClient(service, await register(service));
        const [unverified, verified] = [await register(service), await newClient(service)];
        for (const { userId } of [unverified, verified]) await service.ctx.store.memberships.put(client.userId, userId, 'admin');
        await disableOften(client, url, 2);
        await service.ctx.mails.drain(60_000);
        assert.deepEqual(
          [client, unverified, verified].map(noticesTo).map(({ length }) => length),
          [0, 0, 1],
        );

        const later = await newClient(service, await verifyAddress(service, client));
        await disableOften(later, url, 1);
        await service.ctx.mails.drain(60_000);
        assert.equal(noticesTo(client).length, 1, 'once it is verified');
      });
    });

    // One engine is enough, because the queue of emails is in memory, and the test waits for its timeouts.
    const skip = engine.shared;
    it('and invitations that the mail server holds back do not delay the reset link of someone else', { skip }, async () => {
      const released = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      const bystander = await newClient(service);
      accept = async (to) => (to === bystander.email ? arrived.resolve() : released.promise);
      await withGoneReceiver(async (url) => {
        for (let workspace = 0; workspace < 5; workspace += 1) {
          const client = await newClient(service);
          await disableOften(client, url, 1);
          for (let count = 0; count < 20; count += 1) {
            const body = { email: `person${workspace}-${count}@example.com`, role: 'viewer' };
            assert.equal((await client.call('POST', '/api/members/invitations', body)).status, 201);
          }
        }
        const body = { email: bystander.email };
        assert.equal((await callFromPage(service, 'POST', '/api/session/forgot-password', { body })).status, 202);
        await arrived.promise;
        accept = async () => {};
        released.resolve();
        await service.ctx.mails.drain(60_000);
      });
    });

    it('is sent again after the mail server has refused it for now, and given up if it refuses it for good', async () => {
      await withGoneReceiver(async (url) => {
        const [lucky, unlucky] = [await newClient(service), await newClient(service)];
        let attempts = 0;
        accept = async (to) => {
          attempts += 1;
          if (to === unlucky.email) throw Object.assign(new Error(`no mailbox of ${to}`), { responseCode: 550 });
          if (attempts < 3) throw new Error('try again later');
        };
        for (const client of [lucky, unlucky]) {
          await disableOften(client, url, 1);
          await service.ctx.mails.drain(60_000);
        }
        accept = async () => {};
        assert.deepEqual(
          [lucky, unlucky].map(noticesTo).map(({ length }) => length),
          [1, 0],
        );
        assert.equal(attempts, 4);
        const line = service
          .logs()
          .split('\n')
          .find((each) => each.includes('an email was not sent') && each.includes(unlucky.userId));
        assert.match(line ?? '', /"mail":"notification".*"outcome":"failed".*550 no mailbox of the recipient/);
        assert.ok(!line?.includes(unlucky.email));
      });
    });
  });
}
