import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { loadConfig } from '../../../src/config.ts';
import { createMailer } from '../../../src/domain/mail/mailer.ts';

describe('Mail by SMTP_URL', () => {
  it('user and password are decoded, whatever characters they have, and the user is the sender', async (t) => {
    const logins: unknown[] = [];
    const senders: string[] = [];
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        logins.push([username, password]);
        done(null, { user: username });
      },
      onMailFrom({ address }, _session, done) {
        senders.push(address);
        done();
      },
      onData(stream, _session, done) {
        stream.resume().on('end', () => done());
      },
    });
    const listener = server.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = listener.address() as AddressInfo;

    for (const [user, password] of [
      ['mail+robot@example.com', 'p@ss:w/rd?#%&=ä'],
      ['robot', '100%'],
    ] as const) {
      const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
      const config = loadConfig({ SMTP_URL: url, PUBLIC_URL: 'https://prompts.example.com' });
      const mailer = createMailer(config, pino({ level: 'silent' }));
      await mailer.sendResetLink({
        accountId: 'u_1',
        email: 'ada@example.com',
        link: 'https://prompts.example.com/reset',
        isFirstProof: false,
      });
      assert.deepEqual(logins.at(-1), [user, password]);
    }
    assert.deepEqual(senders, ['mail+robot@example.com', 'no-reply@prompts.example.com']);
  });
});
