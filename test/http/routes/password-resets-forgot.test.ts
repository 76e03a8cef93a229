import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { callFromPage } from '../../support/browser.ts';
import { type ApiResponse, call, register, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type MailServer, partsOf, type ReceivedMail, startMailServer } from '../../support/mail-server.ts';
import { type Service, startService } from '../../support/service.ts';

const path = '/api/session/forgot-password';
const token = '[\\w-]{43}';
// The service sends emails in the background, which takes much less time than this.
const drainMs = 60_000;

for (const engine of engines) {
  describe(`POST ${path} with SMTP_URL (${engine.name})`, () => {
    let mailServer: MailServer;
    let service: Service;
    before(async () => {
      mailServer = await startMailServer();
      service = await startService({ engine, env: { SMTP_URL: mailServer.url, TRUST_PROXY: 'true' } });
    });
    after(async () => {
      await service.close();
      await mailServer.close();
    });

    let addresses = 0;
    /** Uses a new IP address each time, so that tests do not exhaust one shared rate limit. */
    const forgot = (email: unknown, address?: string) => {
      addresses += 1;
      const headers = { 'x-forwarded-for': address ?? `203.0.113.${addresses}` };
      return callFromPage(service, 'POST', path, { body: { email }, headers });
    };

    /** Creates an account whose verification email has already been sent. */
    async function newAccount(): Promise<TestAccount> {
      const account = await register(service);
      await service.ctx.mails.drain(drainMs);
      return account;
    }

    async function nextMail(): Promise<ReceivedMail> {
      await service.ctx.mails.drain(drainMs);
      const mail = mailServer.take();
      return mail.source.includes('Subject: Verify') ? nextMail() : mail;
    }

    it('202: mails a link as plain text and HTML, to the owner only', async () => {
      const { email } = await newAccount();
      const response = await forgot(` ${email.toUpperCase()} `);
      assert.equal(response.status, 202);
      assert.deepEqual(response.body, { status: 'ok' });

      const mail = await nextMail();
      assert.deepEqual(mail.to, [email]);
      assert.equal(mail.from, 'no-reply@127.0.0.1');
      assert.match(mail.source, /^Subject: Set a new PromptHarbor password\r$/m);
      const { 'text/plain': text = '', 'text/html': html = '' } = partsOf(mail);
      const [link = ''] = new RegExp(`${service.url}/reset\\?token=${token}`).exec(text) ?? [];
      assert.ok(link, text);
      assert.ok(html.includes(`<a href="${link}">`), html);
      assert.doesNotMatch(html, /<img|<script|<style/);
    });

    it('400: no email address, said at the field', async () => {
      for (const [text, message] of [
        [' ', 'Enter an email address'],
        ['not an address', 'Not an email address'],
        ["' or 1=1 --@example.com", 'Not an email address'],
      ] as const) {
        const response = await forgot(text);
        assert.equal(response.status, 400, text);
        assert.deepEqual(response.body, { error: 'Invalid input', code: 'invalid_input', details: [{ path: '/email', message }] });
      }
    });

    it('202: 6.3.8 the same response for an unknown email, and nothing is sent', async () => {
      const { email } = await newAccount();
      const known = await forgot(email);
      await nextMail();
      const sent = mailServer.mails.length;
      const response = await forgot('nobody@example.com');
      assert.equal(response.status, known.status);
      assert.equal(response.text, known.text);
      assert.deepEqual(headerNames(response), headerNames(known));
      await service.ctx.mails.drain(drainMs);
      assert.equal(mailServer.mails.length, sent);
    });

    it('202: 16.2.5 with mail set up, no link is in the log', async () => {
      const { email } = await newAccount();
      await forgot(email);
      const { 'text/plain': text = '' } = partsOf(await nextMail());
      const [secret = ''] = new RegExp(`(?<=token=)${token}`).exec(text) ?? [];
      assert.ok(secret);
      assert.ok(!service.logs().includes(secret));
    });

    it('400: missing field, wrong types, unknown fields', async () => {
      for (const body of [undefined, {}, { email: 7 }, { email: null }, { email: ['a@example.com'] }, { email: 'a@example.com', x: 1 }]) {
        assert.equal((await callFromPage(service, 'POST', path, { ...(body && { body }) })).status, 400, JSON.stringify(body));
      }
    });

    it('403: 3.5.1 from another site or without an origin', async () => {
      const origins: Record<string, string>[] = [{ origin: 'https://evil.example' }, {}];
      for (const headers of origins) {
        const response = await call(service, 'POST', path, { headers, body: { email: 'ada@example.com' } });
        assert.equal(response.status, 403);
      }
    });

    it('429: 6.3.1 per email, known or not, from any address', async () => {
      const { email } = await newAccount();
      for (const each of [email, 'stranger@example.com']) {
        for (let count = 0; count < 3; count += 1) assert.equal((await forgot(each)).status, 202);
        const response = await forgot(each.toUpperCase());
        assert.equal(response.status, 429, each);
        assert.equal((response.body as { code: string }).code, 'too_many_attempts');
        assert.ok(Number(response.headers.get('retry-after')) >= 1);
      }
      for (let count = 0; count < 3; count += 1) await nextMail();
    });

    it('429: ASVS 6.3.1: of 60 concurrent requests exactly three send a mail', async () => {
      const { email } = await newAccount();
      const sent = mailServer.mails.length;
      const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => forgot(email, `198.51.101.${index}`)));
      assert.equal(responses.filter(({ status }) => status === 202).length, 3);
      assert.equal(responses.filter(({ status }) => status === 429).length, 57);
      for (let count = 0; count < 3; count += 1) assert.deepEqual((await nextMail()).to, [email]);
      assert.equal(mailServer.mails.length, sent + 3);
    });

    it('202: ASVS 6.1.1: the owner gets a link from a known address, even if strangers have used up the limit', async () => {
      const { email } = await newAccount();
      for (let count = 0; count < 3; count += 1) await forgot(email);
      assert.equal((await forgot(email)).status, 429);
      assert.equal((await forgot(email, '127.0.0.1')).status, 202, 'where the account was registered');
      for (let count = 0; count < 4; count += 1) await nextMail();
    });

    it('202: ASVS 6.3.8: a known and an unknown email cause the same queries, and none before a random delay', async (t) => {
      const { email } = await newAccount();
      const queries: string[] = [];
      const { accounts, mailedLinks } = service.ctx.store;
      const find = t.mock.method(accounts, 'findByEmail');
      const insert = t.mock.method(mailedLinks, 'insert');
      const run = t.mock.method(service.ctx.mails, 'send');
      const delays = new Set<unknown>();
      for (const each of [email, 'nobody-at-all@example.com', 'nobody-else@example.com']) {
        assert.equal((await forgot(each)).status, 202);
        delays.add(run.mock.calls.at(-1)?.arguments[0].delayMs);
        queries.push(`before: ${find.mock.callCount()} ${insert.mock.callCount()}`);
        await service.ctx.mails.drain(drainMs);
        queries.push(`after: ${find.mock.callCount()} ${insert.mock.callCount()}`);
        for (const { mock } of [find, insert]) mock.resetCalls();
      }
      assert.deepEqual(queries, Array(3).fill(['before: 0 0', 'after: 1 1']).flat());
      assert.ok(delays.size > 1 && [...delays].every((delayMs) => Number(delayMs) >= 100), [...delays].join());
      await nextMail();
    });

    it('429: 6.3.1 per address, for any email', async () => {
      for (let count = 0; count < 20; count += 1) assert.equal((await forgot(`someone${count}@example.com`, '198.51.100.7')).status, 202);
      assert.equal((await forgot('someone-else@example.com', '198.51.100.7')).status, 429);
      assert.equal((await forgot('someone-else@example.com', '198.51.100.8')).status, 202);
    });

    it('429: requests for a link do not throttle a sign-in', async () => {
      const { email, password } = await newAccount();
      for (let count = 0; count < 4; count += 1) await forgot(email);
      for (let count = 0; count < 3; count += 1) await nextMail();
      assert.equal((await call(service, 'POST', '/api/auth/token', { body: { email, password } })).status, 200);
    });
  });
}

describe(`POST ${path} when mail is slow or refused`, () => {
  it('202: the response does not wait for the mail server, and a stop does', async (t) => {
    const gate = Promise.withResolvers<void>();
    const mailServer = await startMailServer(() => gate.promise);
    const service = await startService({ env: { SMTP_URL: `${mailServer.url}?from=prompts@example.com` } });
    t.after(async () => {
      gate.resolve();
      await service.close();
      await mailServer.close();
    });
    const { email } = await register(service);
    const response = await callFromPage(service, 'POST', path, { body: { email } });
    assert.equal(response.status, 202);
    assert.equal(mailServer.mails.length, 0);
    const closed = service.close();
    gate.resolve();
    await closed;
    assert.equal(mailServer.mails[0]?.from, 'prompts@example.com');
  });

  it('202: a mail server that refuses or does not respond is logged, without the link, and not shown to the caller', async (t) => {
    const mailServer = await startMailServer(async () => {
      throw new Error('mailbox full');
    });
    t.after(() => mailServer.close());
    const service = await startService({ env: { SMTP_URL: mailServer.url } });
    t.after(() => service.close());
    const { email } = await register(service);
    const forgot = () => callFromPage(service, 'POST', path, { body: { email } });
    assert.equal((await forgot()).status, 202);
    await service.ctx.mails.drain(drainMs);
    await mailServer.close();
    assert.equal((await forgot()).status, 202);
    await service.ctx.mails.drain(drainMs);
    assert.equal(service.logs().match(/"mail":"reset link".*an email was not sent/g)?.length, 2, service.logs());
    assert.ok(!service.logs().includes('token='));
  });
});

describe(`POST ${path} without SMTP_URL`, () => {
  it('202: the link is in the log at warn level, for the operator', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const { email, userId } = await register(service);
    await callFromPage(service, 'POST', path, { body: { email } });
    const { level, account, link } = await loggedLink(service);
    assert.equal(level, 40);
    assert.equal(account, userId);
    assert.match(link, new RegExp(`^${service.url}/reset\\?token=${token}$`));
  });

  it('202: 4.1.3 a forged Host or X-Forwarded-Host does not change the link', async (t) => {
    const service = await startService({ env: { TRUST_PROXY: 'true' } });
    t.after(() => service.close());
    const forgeries: Record<string, string>[] = [{ host: 'evil.example' }, { 'x-forwarded-host': 'evil.example' }];
    for (const headers of forgeries) {
      const { email } = await register(service);
      assert.equal(await post(service, { email }, { ...headers, origin: 'http://evil.example' }), 202);
      const { link } = await loggedLink(service);
      assert.ok(link.startsWith(`${service.url}/reset?`), link);
    }
    assert.ok(!service.logs().includes('evil.example'));
  });

  it('202: with PUBLIC_URL the link starts with it', async (t) => {
    const service = await startService({ env: { PUBLIC_URL: 'https://prompts.example.com' } });
    t.after(() => service.close());
    const { email } = await register(service);
    const headers = { origin: 'https://prompts.example.com' };
    assert.equal((await call(service, 'POST', path, { body: { email }, headers })).status, 202);
    const { link } = await loggedLink(service);
    assert.ok(link.startsWith('https://prompts.example.com/reset?token='), link);
  });
});

/** Returns the last reset link in the log, after the background work is done. */
async function loggedLink(service: Service): Promise<{ level: number; account: string; link: string }> {
  await service.ctx.mails.drain(drainMs);
  const line = service
    .logs()
    .split('\n')
    .findLast((each) => each.includes('/reset?token='));
  assert.ok(line, service.logs());
  return JSON.parse(line) as { level: number; account: string; link: string };
}

/** Sends a Host header of the caller's choice, which `fetch` does not allow. */
async function post(service: Service, body: unknown, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const req = request(service.url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, (res) => {
    res.resume().on('end', () => resolve(res.statusCode));
  });
  req.on('error', reject).end(JSON.stringify(body));
  return promise;
}

function headerNames({ headers }: ApiResponse): string[] {
  return [...headers.keys()];
}
