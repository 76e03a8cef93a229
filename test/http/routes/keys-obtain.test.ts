import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { passwordLimits } from '../../../src/domain/accounts/attempt-limits.ts';
import { countAttempt } from '../../../src/domain/accounts/throttles.ts';
import { call, register, signIn } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines } from '../../support/engines.ts';
import { retryUntil } from '../../support/retry.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`POST /api/auth/token (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      // The service trusts a proxy header, so that each test can use a separate IP address with a separate count of failures.
      service = await startService({ engine, env: { TRUST_PROXY: '1' } });
    });
    after(() => service.close());

    const login = (body: unknown, address = '198.51.100.1') =>
      call(service, 'POST', '/api/auth/token', { body, headers: { 'x-forwarded-for': address } });

    it('200: returns the token info object with the current key, not to be cached', async () => {
      const { email, password, token, userId } = await register(service);
      for (const typed of [email, email.toUpperCase(), ` ${email}\t`]) {
        const response = await login({ email: typed, password });
        assert.equal(response.status, 200);
        assert.deepEqual(response.body, { token, userId, email, name: email.split('@')[0] });
        assert.equal(response.headers.get('cache-control'), 'no-store');
      }
    });

    it('200: after a reset, the new key', async () => {
      const { email, password, token } = await register(service);
      const reset = await call(service, 'DELETE', '/api/auth/token', { key: token });
      const response = await login({ email, password });
      assert.equal((response.body as { token: string }).token, (reset.body as { token: string }).token);
    });

    const badFields: [string, unknown, string[]][] = [
      ['an empty object', {}, ['/email', '/password']],
      ['no email', { password: 'x' }, ['/email']],
      ['no password', { email: 'a@example.com' }, ['/password']],
      ['a number for an email', { email: 5, password: 'x' }, ['/email']],
      ['an object for a password', { email: 'a@example.com', password: { $gt: '' } }, ['/password']],
      ['null for a password', { email: 'a@example.com', password: null }, ['/password']],
      ['an unknown field', { email: 'a@example.com', password: 'x', remember: true }, ['/remember']],
      ['a list', [], ['']],
      ['a text', 'a@example.com', ['']],
      ['null', null, ['']],
    ];
    for (const [name, body, paths] of badFields) {
      it(`400: ${name}`, async () => {
        const response = await login(body);
        assert.equal(response.status, 400);
        const { code, details } = response.body as { code: string; details: { path: string }[] };
        assert.equal(code, 'invalid_input');
        assert.deepEqual(details.map(({ path }) => path).sort(), paths);
      });
    }

    it('ASVS 6.3.8: 401: the same response to a wrong password, an unknown email and an invalid one', async () => {
      const { email, password } = await register(service);
      const attempts = [
        { email, password: 'wrong' },
        { email, password: '' },
        { email, password: `${password} ` },
        { email, password: 'x'.repeat(10_000) },
        { email: 'nobody@example.com', password },
        { email: '', password },
        { email: 'not an address', password },
        { email: `${email}\u0000`, password },
        { email: email.replace('@', '＠'), password },
        { email: '\ud800@example.com', password: '\udfff' },
      ];
      for (const [index, attempt] of attempts.entries()) {
        const response = await login(attempt, `198.51.100.${10 + index}`);
        assert.equal(response.status, 401, JSON.stringify(attempt));
        assert.equal(response.text, '{"error":"Invalid email or password","code":"invalid_credentials"}');
      }
    });

    it('ASVS 6.3.8, 15.2.2: wrong password and unknown email both wait for the same hashing', async () => {
      const { email } = await register(service);
      const { promise: opened, resolve: open } = Promise.withResolvers<void>();
      const { hashing } = service.ctx;
      const held: Promise<void>[] = [];
      // As soon as one task waits, all slots are occupied.
      for (let task = 0; task < 1000 && hashing.waiting === 0; task += 1) {
        held.push(hashing.run({ kind: 'account', accountId: `u_${task}`, person: `u_${task}` }, () => opened));
      }

      assert.equal(hashing.waiting, 1);
      const waiting: ReturnType<typeof login>[] = [];
      for (const typed of [email, 'nobody@example.com', 'no address']) {
        const before = hashing.waiting;
        waiting.push(login({ email: typed, password: 'wrong' }, `198.51.101.${before}`));
        await retryUntil(`the sign-in of ${typed} does not wait`, () => hashing.waiting > before);
      }
      open();
      await Promise.all(held);
      for (const response of await Promise.all(waiting)) assert.equal(response.status, 401);
    });

    it('ASVS 6.1.1: guesses of a stranger do not lock the owner out, who comes from another address', async (t) => {
      const { email, password } = await register(service);
      const clock = freezeClock(t);
      const guess = () => login({ email, password: 'wrong' }, '203.0.113.1');
      const waits = [0, 0, 0, 0, 1, 2, 4, 8, 16];
      for (const wait of waits) {
        assert.equal((await guess()).status, 401);
        if (wait > 0) assert.equal((await guess()).headers.get('retry-after'), String(wait));
        clock.advance(wait * 1000);
      }
      assert.equal((await guess()).status, 401);
      assert.equal((await login({ email, password }, '203.0.113.1')).status, 429);
      assert.equal((await login({ email, password }, '203.0.113.2')).status, 200);
    });

    it('ASVS 6.1.1, 6.3.1: 429 with Retry-After after twenty failures of one account, from any address but known ones', async (t) => {
      const { email, password, token } = await register(service);
      assert.equal((await login({ email, password }, '203.0.113.200')).status, 200);
      const clock = freezeClock(t);
      // Counts failures as sign-ins would, without the hashing.
      for (let failure = 1; failure <= 19; failure += 1) {
        const client = { address: `203.0.113.${failure}`, userAgent: undefined };
        await countAttempt(service.ctx, passwordLimits({ email, client }, { kind: 'new address' }));
      }
      assert.equal((await login({ email, password: 'wrong' }, '203.0.113.20')).status, 401);
      const blocked = await login({ email: email.toUpperCase(), password }, '203.0.113.99');
      assert.equal(blocked.status, 429);
      assert.equal(blocked.headers.get('retry-after'), '1');
      assert.deepEqual(blocked.body, { error: 'Too many failed attempts. Try again later.', code: 'too_many_attempts' });

      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200, 'a valid key is never throttled');
      assert.equal((await login({ email, password }, '203.0.113.200')).status, 200, 'a known address');
      assert.equal((await login({ email, password }, '203.0.113.99')).status, 429, 'which does not clear the count of the others');

      clock.advance(1001);
      assert.equal((await login({ email, password: 'wrong' }, '203.0.113.77')).status, 401);
      assert.equal((await login({ email, password }, '203.0.113.99')).headers.get('retry-after'), '2', 'the wait doubles');
      clock.advance(2001);
      assert.equal((await login({ email, password }, '203.0.113.99')).status, 200);
      assert.equal((await login({ email, password: 'wrong' }, '203.0.113.78')).status, 401);
      assert.equal((await login({ email, password }, '203.0.113.98')).status, 200, 'a success clears the count');
    });

    it('ASVS 6.3.8: under throttling, known and unknown emails still get the same responses', async (t) => {
      const { email } = await register(service);
      const clock = freezeClock(t);
      const sequence = async (typed: string, address: string) => {
        const responses: string[] = [];
        for (let attempt = 0; attempt < 7; attempt += 1) {
          const { status, text, headers } = await login({ email: typed, password: 'wrong' }, address);
          responses.push(`${status} ${text} ${headers.get('retry-after')}`);
          if (attempt % 2 === 1) clock.advance(1000);
        }
        return responses;
      };
      assert.deepEqual(await sequence(email, '203.0.113.90'), await sequence('nobody-here@example.com', '203.0.113.91'));
      // The account was registered from this address, so it is a known address.
      assert.deepEqual(await sequence(email, '127.0.0.1'), await sequence('nobody-there@example.com', '127.0.0.1'));
    });

    it('200: ten concurrent sign-ins of one account, after a few failures', async () => {
      const { email, password } = await register(service);
      for (let failure = 0; failure < 4; failure += 1) await login({ email, password: 'wrong' }, '203.0.113.95');
      const responses = await Promise.all(Array.from({ length: 10 }, () => login({ email, password }, '203.0.113.95')));
      assert.deepEqual(
        responses.map(({ status }) => status),
        Array(10).fill(200),
      );
    });

    it('ASVS 6.3.1: 429 for an unknown email too', async (t) => {
      freezeClock(t);
      const statuses: number[] = [];
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        statuses.push((await login({ email: 'ghost@example.com', password: 'x' }, '203.0.113.50')).status);
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    });

    it('ASVS 6.3.1: of concurrent guesses exactly five are tried', async (t) => {
      const { email } = await register(service);
      freezeClock(t);
      const responses = await Promise.all(Array.from({ length: 20 }, () => login({ email, password: 'wrong' }, '203.0.113.60')));
      const tried = responses.filter(({ status }) => status === 401).length;
      assert.equal(tried, 5);
      assert.ok(responses.every(({ status }) => status === 401 || status === 429));
    });

    it('ASVS 6.3.1: 429 per address after fifty failures, for any account', async (t) => {
      freezeClock(t);
      const { email, password, token } = await register(service);
      const address = '2001:db8:1:2::1';
      const neighbour = '2001:db8:1:2:ffff::9';
      for (let failure = 0; failure < 50; failure += 1) {
        assert.equal((await login({ email: `spray${failure}@example.com`, password: 'x' }, address)).status, 401);
      }
      assert.equal((await login({ email, password }, address)).status, 429);
      assert.equal((await login({ email, password }, neighbour)).status, 429, 'the same /64');
      assert.equal((await login({ email, password }, '2001:db8:1:3::1')).status, 200, 'another network');
      const response = await call(service, 'GET', '/api/auth/token', { key: token, headers: { 'x-forwarded-for': address } });
      assert.equal(response.status, 200, 'a valid key is never throttled');
    });

    it('ASVS 6.3.4: sign-ins in the browser count in the same throttle', async (t) => {
      freezeClock(t);
      const account = await register(service);
      await signIn(service, account);
      const { email } = account;
      for (let failure = 1; failure <= 5; failure += 1) {
        const headers = { origin: service.url, 'x-forwarded-for': '203.0.113.70' };
        const response = await call(service, 'POST', '/api/session/sign-in/email', { body: { email, password: 'wrong' }, headers });
        assert.equal(response.status, 401);
      }
      assert.equal((await login({ email, password: account.password }, '203.0.113.70')).status, 429);
    });

    it('ASVS 16.3.1: sign-ins and failures are logged, with the address and without the email or password', async () => {
      const { email, password, userId } = await register(service);
      const before = service.logs().length;
      await login({ email, password }, '203.0.113.80');
      await login({ email, password: 'Wr0ng-And-Secret' }, '203.0.113.80');
      const logs = service.logs().slice(before);
      assert.match(logs, new RegExp(`"event":"sign_in","account":"${userId}","address":"203.0.113.80"`));
      assert.match(logs, new RegExp(`"event":"sign_in_failed","account":"${userId}","address":"203.0.113.80"`));
      for (const secret of [email, password, 'Wr0ng-And-Secret']) assert.ok(!logs.includes(secret), secret);
    });
  });
}
