import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Mailer } from './domain/context.ts';

/** Sends through SMTP_URL. Without one, the operator finds the message in the log. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'publicUrl'>, logger: Logger): Mailer {
  return config.smtpUrl === undefined ? createLogMailer(logger) : createSmtpMailer(config.smtpUrl, config.publicUrl);
}

/**
 * Security: this is the one place where a log line holds a secret. Whoever reads the log can set that account's password for
 * 30 minutes. It exists so that a service without mail has a way back in; with SMTP_URL set, nothing of it is ever logged.
 */
function createLogMailer(logger: Logger): Mailer {
  return {
    async sendResetLink({ accountId, email, link }) {
      logger.warn({ account: accountId, email, link }, 'no SMTP_URL is set: hand this reset link to the owner of the account');
    },
  };
}

function createSmtpMailer(smtpUrl: string, publicUrl: URL | undefined): Mailer {
  const from = { name: 'PromptHarbor', address: senderOf(new URL(smtpUrl), publicUrl) };
  let transport: ReturnType<typeof openTransport> | undefined;

  return {
    async sendResetLink({ email, link }) {
      transport ??= openTransport(smtpUrl);
      const message = { from, to: email, ...describeResetLink(link), headers: { 'Auto-Submitted': 'auto-generated' } };
      await (await transport).sendMail(message);
    },
  };
}

/** Loaded with the first message: no start has to wait for what is seldom needed. */
async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 20_000,
    socketTimeout: 20_000,
    // A message is what is written below and nothing that an address or a file could add to it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** `?from=` of the SMTP_URL, else its user where that is an address, else an address at our own host. */
function senderOf(smtpUrl: URL, publicUrl: URL | undefined): string {
  const named = smtpUrl.searchParams.get('from');
  if (named) return named;
  const user = smtpUrl.username.replace('%40', '@');
  return user.includes('@') ? user : `no-reply@${(publicUrl ?? smtpUrl).hostname}`;
}

function describeResetLink(link: string): { subject: string; text: string; html: string } {
  const before = 'Someone asked for a new password for your PromptHarbor account. To set one, open this link within 30 minutes:';
  const after = 'It works once and signs you out everywhere; your API key stays as it is. If it was not you, there is nothing to do.';
  return {
    subject: 'Set a new PromptHarbor password',
    text: `${before}\n\n${link}\n\n${after}\n`,
    // The link is our own origin and base64url: there is nothing in it to escape.
    html: `<p>${before}</p>\n<p><a href="${link}">${link}</a></p>\n<p>${after}</p>\n`,
  };
}
