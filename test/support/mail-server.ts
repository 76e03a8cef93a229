import assert from 'node:assert/strict';
import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The headers and the body exactly as received. */
  source: string;
}

export interface MailServer {
  /** The value for SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Returns the oldest email that the test has not taken yet. Throws if there is no such email, so wait until the service has sent it. */
  take(): ReceivedMail;
  close(): Promise<void>;
}

/** Starts a real SMTP server on loopback. `accept` may delay an email, or throw to refuse it with 450 or the error's `responseCode`. */
export async function startMailServer(accept: (mail: ReceivedMail) => Promise<void> = async () => {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let taken = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const mail = { from, to: rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString() };
        accept(mail).then(
          () => {
            mails.push(mail);
            done();
          },
          (err: Error) => done(err),
        );
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port');

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    take() {
      const mail = mails[taken];
      assert.ok(mail, `no mail has arrived beyond the ${taken} taken`);
      taken += 1;
      return mail;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns the decoded parts of an email by content type. */
export function partsOf({ source }: ReceivedMail): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  if (boundary === undefined) throw new Error('The mail has one part only');
  const parts = source.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...body] = part.trimStart().split('\r\n\r\n');
      const text = body.join('\r\n\r\n');
      const isQuoted = /transfer-encoding: quoted-printable/i.test(head);
      return [/content-type: ([\w/]+)/i.exec(head)?.[1] ?? '', isQuoted ? unquote(text) : text];
    }),
  );
}

function unquote(text: string): string {
  return text.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
