import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Notification, NotificationList, NotificationSettings } from '../../../src/contract/notifications.ts';
import { signIn as verifySignIn } from '../../../src/domain/accounts/sign-in.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { addNotification } from '../../../src/domain/notifications/notify.ts';
import { countUsage } from '../../../src/domain/runs/daily-budget.ts';
import { disableWebhook } from '../../../src/domain/webhooks/disable.ts';
import { callFromPage } from '../../support/browser.ts';
import { call, register, signIn } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.ts';
import { assertRefused, type Client, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`/api/notifications (${engine.name})`, () => {
    let service: Service;
    let mailServer: MailServer;
    before(async () => {
      mailServer = await startMailServer();
      service = await startService({ engine, env: { SMTP_URL: mailServer.url } });
    });
    after(async () => {
      await service.close();
      await mailServer.close();
    });

    const list = (client: Client, query = '') => client.get<NotificationList>(`/api/notifications${query}`);
    const kindsOf = async (client: Client) => (await list(client)).data.map(({ kind }) => kind);
    const join = (workspace: Client, member: Client, role: 'viewer' | 'admin') =>
      service.ctx.store.memberships.put(workspace.userId, member.userId, role);
    async function mailsTo({ email }: { email: string }): Promise<string[]> {
      await service.ctx.mails.drain(60_000);
      const mails = mailServer.mails.filter(({ to, source }) => to.includes(email) && source.includes('turn off these'));
      return mails.map((mail) => partsOf(mail)['text/plain'] ?? '');
    }
    async function newWebhook(client: Client): Promise<{ accountId: string; webhookId: string }> {
      const created = await client.call('POST', '/api/webhooks', { url: 'https://example.com/hooks/secret-token' });
      assert.equal(created.status, 201, created.text);
      return { accountId: client.userId, webhookId: (created.body as { id: string }).id };
    }

    it('a member is notified of a new role and of the removal, on the page and by email, and the admin of neither', async () => {
      const [owner, member] = [await newClient(service), await newClient(service)];
      await join(owner, member, 'viewer');
      await owner.call('PATCH', `/api/members/${member.userId}`, { role: 'editor' });
      await owner.call('PATCH', `/api/members/${member.userId}`, { role: 'editor' });
      const { data, unread } = await list(member);
      assert.equal(unread, 1);
      const [changed] = data as [Notification];
      assert.match(changed.text, /^Test changed your role in “Test” from viewer to editor\.$/);
      assert.equal(changed.path, `/dashboard?workspace=${owner.userId}`);
      assert.deepEqual([changed.read, changed.workspace?.id, changed.by?.userId], [false, owner.userId, owner.userId]);
      assert.match((await mailsTo(member))[0] ?? '', /To turn off these emails, open Settings/);

      await owner.call('DELETE', `/api/members/${member.userId}`);
      assert.deepEqual(await kindsOf(member), ['removed'], 'what needs membership is gone');
      assert.deepEqual(await kindsOf(owner), []);
      assert.equal((await mailsTo(owner)).length, 0);
    });

    it('people are not notified of their own actions, and a service account has no notifications', async () => {
      const [owner, member] = [await newClient(service), await newClient(service)];
      await join(owner, member, 'admin');
      await member.call('DELETE', `/api/members/${member.userId}`, undefined, { headers: { 'PromptHarbor-Workspace': owner.userId } });
      assert.deepEqual(await kindsOf(member), []);
      const { body } = await owner.call('POST', '/api/members/service-accounts', { name: 'CI', role: 'admin' });
      const { token, userId } = body as { token: string; userId: string };
      await owner.call('PATCH', `/api/members/${userId}`, { role: 'viewer' });
      for (const [method, path] of [
        ['GET', '/api/notifications'],
        ['GET', '/api/notifications/settings'],
      ] as const) {
        assertRefused(await call(service, method, path, { key: token }), 403, 'forbidden');
      }
      assert.equal((await call(service, 'GET', '/api/notifications')).status, 401);
    });

    it('an invitation is shown to a verified account with its link, which works, and vanishes when withdrawn or accepted', async () => {
      const [owner, guest] = [await newClient(service), await newClient(service)];
      const invite = async (email: string) => {
        const response = await owner.call('POST', '/api/members/invitations', { email, role: 'editor' });
        assert.equal(response.status, 201, response.text);
        return response.body as { id: string; url: string };
      };
      const withdrawn = await invite(guest.email);
      assert.deepEqual(await kindsOf(guest), ['invited']);
      await owner.call('DELETE', `/api/members/invitations/${withdrawn.id}`);
      assert.deepEqual(await kindsOf(guest), []);
      const { url } = await invite(guest.email);
      const path = (await list(guest)).data[0]?.path ?? '';
      assert.equal(path, new URL(url).pathname);
      const cookie = await signIn(service, guest);
      const accepted = await callFromPage(service, 'POST', `/api${path}/accept`, { cookie });
      assert.equal(accepted.status, 200, accepted.text);
      assert.deepEqual(await kindsOf(guest), []);

      const stranger = await register(service);
      await invite(stranger.email);
      const unverified = await call(service, 'GET', '/api/notifications', { key: stranger.token });
      assert.deepEqual((unverified.body as NotificationList).data, [], 'an unverified address may belong to someone else');
    });

    it('the owner and the admins are notified of a disabled webhook, without its URL, and a former admin is not', async () => {
      const [owner, admin, viewer] = [await newClient(service), await newClient(service), await newClient(service)];
      await join(owner, admin, 'admin');
      await join(owner, viewer, 'viewer');
      const endpoint = await newWebhook(owner);
      await disableWebhook(service.ctx, endpoint, 'A delivery failed 10 times');
      for (const client of [owner, admin]) {
        const { data } = await list(client);
        assert.match(data[0]?.text ?? '', /webhook in “Test” was disabled\. It sent events to example\.com\./);
        assert.equal(data[0]?.path, `/dashboard/settings/webhooks/${endpoint.webhookId}?workspace=${owner.userId}`);
        const mails = await mailsTo(client);
        assert.equal(mails.length, 1);
        assert.doesNotMatch(JSON.stringify([data, mails]), /secret-token/);
      }
      assert.deepEqual(await kindsOf(viewer), []);
      await service.ctx.store.memberships.put(owner.userId, admin.userId, 'editor');
      assert.deepEqual(await kindsOf(admin), []);
    });

    it('a used-up budget causes one notification a day, even with concurrent runs', async () => {
      const owner = await newClient(service);
      await owner.call('PATCH', '/api/workspace', { dailyBudget: { cost: null, tokens: 100 } });
      const use = (tokens: number) =>
        countUsage(service.ctx, owner.userId, { inputTokens: tokens, outputTokens: 0, estimated: false }, null);
      await use(60);
      assert.deepEqual(await kindsOf(owner), []);
      await Promise.all([use(60), use(60), use(60)]);
      assert.deepEqual(await kindsOf(owner), ['budget_used_up']);
      assert.match((await list(owner)).data[0]?.text ?? '', /budget of 100 tokens for today/);
      assert.equal((await mailsTo(owner)).length, 1);
    });

    it('the new owner is notified of a transfer, and the members of the deletion of a team', async () => {
      const [owner, next, viewer] = [await newClient(service), await newClient(service), await newClient(service)];
      const { body } = await owner.call('POST', '/api/workspaces', { name: 'Support' });
      const { id } = body as { id: string };
      for (const { userId } of [next, viewer]) await service.ctx.store.memberships.put(id, userId, 'viewer');
      const cookie = await signIn(service, owner);
      const transfer = { userId: next.userId, password: owner.password };
      const transferred = await callFromPage(service, 'POST', `/api/workspaces/${id}/transfer`, { cookie, body: transfer });
      assert.equal(transferred.status, 204, transferred.text);
      assert.deepEqual(await kindsOf(next), ['workspace_transferred']);
      const nextCookie = await signIn(service, next);
      const deleted = await callFromPage(service, 'DELETE', `/api/workspaces/${id}`, {
        cookie: nextCookie,
        body: { password: next.password },
      });
      assert.equal(deleted.status, 204, deleted.text);
      assert.match((await list(viewer)).data[0]?.text ?? '', /deleted “Support”/);
      assert.deepEqual(await kindsOf(next), []);
    });

    it('a sign-in from a new device and network causes a notification, one from a known network does not', async () => {
      const client = await newClient(service);
      const { email, password } = client;
      const from = (address: string) => verifySignIn(service.ctx, { email, password, client: { address, userAgent: 'x' } });
      await from('127.0.0.1');
      assert.deepEqual(await kindsOf(client), []);
      await from('203.0.113.7');
      await from('203.0.113.7');
      assert.deepEqual(await kindsOf(client), ['new_sign_in']);
      assert.match((await list(client)).data[0]?.text ?? '', /203\.0\.113\.7/);
    });

    it('each kind can be turned off for each channel; unknown kinds and channels are refused', async () => {
      const [owner, member] = [await newClient(service), await newClient(service)];
      await join(owner, member, 'viewer');
      const settings = await member.get<NotificationSettings>('/api/notifications/settings');
      assert.ok(Object.values(settings).every(({ page, email }) => page && email));
      const changed = await member.call('PATCH', '/api/notifications/settings', { role_changed: { page: false } });
      assert.deepEqual((changed.body as NotificationSettings).role_changed, { page: false, email: true });
      await owner.call('PATCH', `/api/members/${member.userId}`, { role: 'editor' });
      assert.deepEqual([await kindsOf(member), (await list(member)).unread], [[], 0]);
      assert.equal((await mailsTo(member)).length, 1);
      await member.call('PATCH', '/api/notifications/settings', { role_changed: { page: true, email: false } });
      await owner.call('PATCH', `/api/members/${member.userId}`, { role: 'admin' });
      assert.equal((await mailsTo(member)).length, 1);
      assert.deepEqual(await kindsOf(member), ['role_changed', 'role_changed']);
      for (const body of [{}, { nothing: { page: true } }, { removed: {} }, { removed: { sms: true } }, { __proto__x: {} }]) {
        assert.equal((await member.call('PATCH', '/api/notifications/settings', body)).status, 400, JSON.stringify(body));
      }
      const invited = await member.call('PATCH', '/api/notifications/settings', { invited: { email: false } });
      assert.equal(invited.status, 200);
      const other = await newClient(service);
      const { body } = await other.call('POST', '/api/members/invitations', { email: member.email, role: 'viewer' });
      assert.equal((body as { mailed: boolean }).mailed, false);
    });

    it('are marked as read one by one or up to one, only the caller’s own, and are paged', async () => {
      const [client, other] = [await newClient(service), await newClient(service)];
      for (const address of ['1', '2', '3', '4']) {
        for (const { userId } of [client, other]) {
          await addNotification(service.ctx.store, { kind: 'new_sign_in', detail: { address }, recipients: [userId] });
        }
      }
      const first = await list(client, '?limit=3');
      assert.equal(first.data.length, 3);
      const rest = await list(client, `?limit=3&cursor=${first.nextCursor}`);
      assert.deepEqual([rest.data.length, rest.nextCursor], [1, null]);
      const [newest, , third] = first.data as [Notification, Notification, Notification];
      const read = (body: object) => client.call('POST', '/api/notifications/read', body);
      assert.equal((await read({ ids: [newest.id, 'n_unknown', 'x\u0000'] })).status, 204);
      assert.equal((await list(client)).unread, 3);
      assert.equal((await read({ upTo: third.id })).status, 204);
      assert.deepEqual(
        (await list(client)).data.map((item) => item.read),
        [true, false, true, true],
      );
      assert.equal((await list(other)).unread, 4);
      assert.equal((await read({ ids: Array.from({ length: 201 }, () => 'x') })).status, 400);
    });

    it('an account keeps the newest 200, for 90 days', async () => {
      const client = await newClient(service);
      const add = (address: string) =>
        addNotification(service.ctx.store, { kind: 'new_sign_in', detail: { address }, recipients: [client.userId] });
      for (let count = 0; count < 203; count += 1) await add(String(count));
      const { unread, data } = await list(client, '?limit=1');
      assert.equal(unread, 200);
      assert.match(data[0]?.text ?? '', /\(202\)/);
      await sweep(service.ctx, new Date(Date.now() + 91 * 24 * 60 * 60 * 1000));
      assert.equal((await list(client)).unread, 0);
    });
  });
}
