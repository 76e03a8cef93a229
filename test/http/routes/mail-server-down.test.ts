import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage } from '../../support/browser.ts';
import { call, register } from '../../support/client.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { invite } from '../../support/members.ts';
import { newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

describe('While the mail server is down', () => {
  let service: Service;
  before(async () => {
    const mailServer = await startMailServer();
    await mailServer.close();
    service = await startService({ env: { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://prompts.example.com' } });
  });
  after(() => service.close());

  it('POST /api/members/invitations: says that no mail was sent, whether or not the address has an account', async () => {
    const owner = await newClient(service);
    const other = await register(service);
    for (const email of ['nobody@example.com', other.email]) {
      const { mailed, url } = await invite(owner, email);
      assert.equal(mailed, false);
      assert.match(url, /^https:\/\/prompts\.example\.com\/invitations\//);
    }
  });

  it('POST /api/account/verification: says that no mail was sent', async () => {
    const { token } = await register(service);
    const response = await call(service, 'POST', '/api/account/verification', { key: token });
    assert.equal(response.status, 202, response.text);
    assert.deepEqual(response.body, { status: 'ok', mailed: false });
  });

  it('POST /api/session/forgot-password: the response reveals nothing about the account', async () => {
    const { email } = await register(service);
    const ask = async (address: string) => {
      const { status, text } = await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: address } });
      return { status, text };
    };
    assert.deepEqual(await ask(email), await ask('nobody@example.com'));
  });
});

it('POST /api/account/verification: says that the email was sent once the mail server has accepted it', async (t) => {
  const mailServer = await startMailServer();
  const service = await startService({ env: { SMTP_URL: mailServer.url } });
  t.after(async () => {
    await service.close();
    await mailServer.close();
  });
  const { token } = await register(service);
  await service.ctx.mails.drain(60_000);
  mailServer.take();
  const response = await call(service, 'POST', '/api/account/verification', { key: token });
  assert.deepEqual(response.body, { status: 'ok', mailed: true }, response.text);
  mailServer.take();
});
