import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage } from '../../support/browser.ts';
import { call, cookieOf } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { insertInvitation, invite, type MemberListBody } from '../../support/members.ts';
import { assertRefused, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

const password = 'a long enough password';

for (const engine of engines) {
  describe(`Registering with an invitation while registration is closed (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env: { REGISTRATION: 'closed' } });
    });
    after(() => service.close());

    const register = (body: unknown) => call(service, 'POST', '/api/auth/register', { body });

    it('201: for exactly the invited email, by API and in the browser; accepting is a separate step', async () => {
      const owner = await newClient(service);
      const byApi = await invite(owner, 'api@example.com');
      assert.equal((await register({ email: ' API@example.com', password, invitation: byApi.token })).status, 201);
      assertRefused(await register({ email: 'api@example.com', password, invitation: byApi.token }), 409, 'email_taken');

      const inBrowser = await invite(owner, 'page@example.com', 'viewer');
      const body = { email: 'page@example.com', password, name: 'Grace', invitation: inBrowser.token };
      const signedUp = await callFromPage(service, 'POST', '/api/session/sign-up/email', { body });
      assert.equal(signedUp.status, 201, signedUp.text);
      assert.equal((await owner.get<MemberListBody>('/api/members')).data.length, 1, 'nobody has joined yet');
      const cookie = cookieOf(signedUp);
      const accepted = await callFromPage(service, 'POST', `/api/invitations/${inBrowser.token}/accept`, { cookie });
      assert.equal(accepted.status, 200, accepted.text);
      const { data } = await owner.get<MemberListBody>('/api/members');
      assert.deepEqual(
        data.map(({ name, email, role, kind }) => ({ name, email, role, kind })),
        [
          { name: 'Test', email: owner.email, role: 'owner', kind: 'person' },
          { name: 'Grace', email: 'page@example.com', role: 'viewer', kind: 'person' },
        ],
      );
    });

    it('403 and 404: without an invitation, with that of another email, and with one that is not valid', async () => {
      const owner = await newClient(service);
      const { token } = await invite(owner, 'ada@example.com');
      const expired = await insertInvitation(service, { workspaceId: owner.userId, email: 'late@example.com', expiresAt: new Date(0) });
      const accounts = await service.ctx.store.accounts.count();
      assertRefused(await register({ email: 'ada@example.com', password }), 403, 'registration_closed');
      const wrong = await register({ email: 'eve@example.com', password, invitation: token });
      assert.match(assertRefused(wrong, 403, 'invitation_for_another_account').error, /^This invitation is for ada@example\.com/);
      for (const invitation of ['', '\u0000', 'unknown', `${token}x`, expired]) {
        assertRefused(await register({ email: 'late@example.com', password, invitation }), 404, 'invitation_not_found');
      }
      for (const invitation of [7, null, 'x'.repeat(201)]) {
        assertRefused(await register({ email: 'ada@example.com', password, invitation }), 400, 'invalid_input', '/invitation');
      }
      assert.equal(await service.ctx.store.accounts.count(), accounts);
    });
  });
}

describe('Invitations by mail', () => {
  it('are sent if SMTP is configured, only a few to one address, and a name cannot smuggle a link or markup into them', async (t) => {
    const mailServer = await startMailServer();
    const service = await startService({ env: { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://prompts.example.com' } });
    t.after(async () => {
      await service.close();
      await mailServer.close();
    });
    const owner = await newClient(service);
    await owner.call('PATCH', '/api/account', { name: 'Ada & <b>Sons</b>' });
    const first = await invite(owner, 'grace@example.com', 'deployer');
    assert.equal(first.mailed, true);
    assert.ok(first.url.startsWith('https://prompts.example.com/invitations/'));
    await service.ctx.mails.drain(60_000);
    const mail = mailServer.take();
    assert.deepEqual(mail.to, ['grace@example.com']);
    const source = mail.source.replaceAll('=\r\n', '');
    assert.ok(source.includes(`${first.url}~v1.`), 'with a part that whoever invites does not see');
    assert.match(source, /Ada &amp; &lt;b&gt;Sons&lt;\/b&gt; invited you/);
    assert.match(source, /to the PromptHarbor workspace "Ada & <b>Sons<\/b>" with the role deployer/);
    assert.ok(!service.logs().includes(first.token));

    for (const name of ['Win at evil.example now', 'https://evil', 'mail me@evil', 'evil。example']) {
      await owner.call('PATCH', '/api/account', { name });
      const { mailed } = await invite(owner, `${mailServer.mails.length}@example.com`);
      assert.equal(mailed, true);
      await service.ctx.mails.drain(60_000);
      const source = mailServer.take().source.replaceAll('=\r\n', '');
      assert.doesNotMatch(source, /evil/, name);
      assert.ok(source.includes(`${owner.email} invited you to a PromptHarbor workspace`), source);
    }

    const mailed = [];
    for (let count = 0; count < 4; count += 1) mailed.push((await invite(owner, 'grace@example.com')).mailed);
    assert.deepEqual(mailed, [true, true, false, false], 'the link can still be passed on by hand');
    await service.ctx.mails.drain(60_000);
    assert.equal(mailServer.mails.filter(({ to }) => to.includes('grace@example.com')).length, 3);
  });
});
