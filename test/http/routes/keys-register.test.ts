import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

interface TokenInfo {
  token: string;
  userId: string;
  email: string;
  name: string;
}

const password = 'a long enough password';

for (const engine of engines) {
  describe(`POST /api/auth/register (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const post = (body: unknown) => call(service, 'POST', '/api/auth/register', { body });

    it('201: returns the token info object with a valid key, not to be cached', async () => {
      const response = await post({ email: 'Ada@Example.com ', password, name: ' Ada Lovelace ' });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const { token, userId, ...rest } = response.body as TokenInfo;
      assert.deepEqual(rest, { email: 'ada@example.com', name: 'Ada Lovelace' });
      assert.match(token, /^ph_[0-9a-f]{64}$/);
      assert.match(userId, /^u_[0-9a-z]+_[0-9a-z]+$/);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
    });

    it('201: the name defaults to the part before the @', async () => {
      for (const [email, name] of [
        ['grace@example.com', undefined],
        ['grace.h@example.com', '   '],
      ]) {
        const response = await post({ email, password, name });
        assert.equal((response.body as TokenInfo).name, email?.split('@')[0]);
      }
    });

    it('ASVS 6.2.1, 6.2.5, 6.2.8, 6.2.9: 201: 8 to 128 characters of any kind, used unmodified', async () => {
      const good = [
        '12 4567ü',
        'x'.repeat(127).concat('y'),
        '🙂'.repeat(8),
        '密'.repeat(128),
        '        ',
        'tab\tand\nline\u0000end',
        'ＦｕｌｌＷｉｄｔｈ',
      ];
      for (const [index, given] of good.entries()) {
        const email = `any${index}@example.com`;
        assert.equal((await post({ email, password: given })).status, 201, JSON.stringify(given));
        const login = (password: string) => call(service, 'POST', '/api/auth/token', { body: { email, password } });
        assert.equal((await login(given)).status, 200, JSON.stringify(given));
        for (const changed of [given.trim(), given.normalize('NFKC'), given.slice(0, -1), given.toUpperCase()]) {
          if (changed !== given) assert.equal((await login(changed)).status, 401, JSON.stringify(changed));
        }
      }
    });

    const badFields: [string, Record<string, unknown>, string][] = [
      ['no email', { email: undefined }, '/email'],
      ['no password', { password: undefined }, '/password'],
      ['email: a number', { email: 5 }, '/email'],
      ['email: null', { email: null }, '/email'],
      ['email: an object', { email: { $ne: '' } }, '/email'],
      ['email: a list', { email: ['a@example.com'] }, '/email'],
      ['email: empty', { email: '' }, '/email'],
      ['email: without @', { email: 'example.com' }, '/email'],
      ['email: NUL', { email: 'a\u0000@example.com' }, '/email'],
      ['email: line break', { email: 'a@example.com\r\nbcc: b@example.com' }, '/email'],
      ['email: look-alike @', { email: 'a＠example.com' }, '/email'],
      ['email: look-alike letter', { email: 'аda@example.com' }, '/email'],
      ['email: lone surrogate', { email: 'a\ud800@example.com' }, '/email'],
      ['email: too long', { email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}` }, '/email'],
      ['password: a number', { password: 1234567890123 }, '/password'],
      ['password: 7 characters', { password: '1234 67' }, '/password'],
      ['password: 7 code points of 2 units each', { password: '🙂'.repeat(7) }, '/password'],
      ['password: 129 characters', { password: 'x'.repeat(129) }, '/password'],
      ['ASVS 6.2.8: password: lone surrogate, which could not be verified unmodified', { password: 'abcdefg\ud800' }, '/password'],
      ['ASVS 6.2.4: password: one of the most common', { password: 'password1' }, '/password'],
      ['ASVS 6.2.4: password: one of the most common, in capitals', { password: 'PASSWORD1' }, '/password'],
      ['password: the email itself', { password: 'bad@example.com' }, '/password'],
      ['name: a number', { name: 5 }, '/name'],
      ['name: 101 characters', { name: 'n'.repeat(101) }, '/name'],
      ['name: NUL', { name: 'Ada\u0000' }, '/name'],
      ['name: line break', { name: 'Ada\nLovelace' }, '/name'],
      ['name: lone surrogate', { name: 'Ada\udfff' }, '/name'],
      ['unknown field', { role: 'admin' }, '/role'],
      ['a key chosen by the caller', { token: `ph_${'0'.repeat(64)}` }, '/token'],
    ];
    for (const [name, change, path] of badFields) {
      it(`400: ${name}`, async () => {
        const response = await post({ email: 'bad@example.com', password, ...change });
        assert.equal(response.status, 400);
        const { code, details } = response.body as { code: string; details: { path: string; message: string }[] };
        assert.equal(code, 'invalid_input');
        assert.ok(
          details.some((problem) => problem.path === path),
          response.text,
        );
      });
    }

    it('400: all wrong fields are named in one response', async () => {
      const response = await post({ name: 5, role: 'admin' });
      const { details } = response.body as { details: { path: string }[] };
      assert.deepEqual(details.map(({ path }) => path).sort(), ['/email', '/name', '/password', '/role']);
    });

    it('409: the email is taken, in any case', async () => {
      const { email } = await register(service);
      for (const again of [email, email.toUpperCase(), ` ${email} `]) {
        const response = await post({ email: again, password });
        assert.equal(response.status, 409);
        assert.deepEqual(response.body, { error: 'An account with this email already exists', code: 'email_taken' });
      }
    });

    it('ASVS 15.2.2: 409, then 429 with Retry-After: a flood of registrations of a taken email costs no hash and leaves sign-ins working', async (t) => {
      const own = await startService({ engine });
      t.after(() => own.close());
      const { email } = await register(own);
      const statuses = new Set<number>();
      const flood = Array.from({ length: 80 }, async () => {
        for (let count = 0; count < 4; count += 1) {
          const response = await call(own, 'POST', '/api/auth/register', { body: { email, password } });
          statuses.add(response.status);
          if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) >= 1);
        }
      });
      const logins = Array.from({ length: 6 }, () => call(own, 'POST', '/api/auth/token', { body: { email, password } }));
      for (const { status } of await Promise.all(logins)) assert.equal(status, 200);
      await Promise.all(flood);
      assert.deepEqual([...statuses].sort(), [409, 429]);
    });

    it('409: a taken email is refused before a hash is made', async () => {
      const { email } = await register(service);
      const { promise: opened, resolve: open } = Promise.withResolvers<void>();
      const { hashing } = service.ctx;
      const held: Promise<void>[] = [];
      for (let task = 0; task < 1000 && hashing.waiting === 0; task += 1) {
        held.push(hashing.run({ kind: 'account', accountId: `u_${task}`, person: `u_${task}` }, () => opened));
      }
      assert.equal((await post({ email, password })).status, 409);
      open();
      await Promise.all(held);
    });

    it('8 concurrent registrations of one email: one 201, seven 409', async () => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => post({ email: 'race@example.com', password })));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
      const winner = responses.find(({ status }) => status === 201);
      assert.ok(winner);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: (winner.body as TokenInfo).token })).status, 200);
    });
  });

  describe(`POST /api/auth/register with REGISTRATION=closed (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env: { REGISTRATION: 'closed' } });
    });
    after(() => service.close());

    it('403: by API and in the browser; ASVS 6.3.2: there is no default account', async () => {
      const body = { email: 'ada@example.com', password };
      for (const path of ['/api/auth/register', '/api/session/sign-up/email']) {
        const response = await call(service, 'POST', path, { body, headers: { origin: service.url } });
        assert.equal(response.status, 403);
        assert.deepEqual(response.body, { error: 'Registration is closed', code: 'registration_closed' });
      }
      assert.equal(await service.ctx.store.accounts.count(), 0);
    });
  });
}
