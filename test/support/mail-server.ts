import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as they came. */
  source: string;
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** The next mail that arrives and was not asked for before. */
  next(): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** A real SMTP server on loopback. `accept` may hold a mail back or refuse it by throwing. */
export async function startMailServer(accept: () => Promise<void> = async () => {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let asked = 0;
  let wake = Promise.withResolvers<void>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        accept().then(
          () => {
            const { mailFrom, rcptTo } = session.envelope;
            const from = mailFrom === false ? '' : mailFrom.address;
            mails.push({ from, to: rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString() });
            wake.resolve();
            wake = Promise.withResolvers();
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
    async next() {
      for (;;) {
        const mail = mails[asked];
        if (mail) {
          asked += 1;
          return mail;
        }
        await wake.promise;
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The parts of a mail by content type, decoded. */
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
