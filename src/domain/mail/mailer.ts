import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { InvitationMessage, Mailer, WebhookDisabledMessage } from './mail.ts';
import { MailError } from './mail-error.ts';

/** Sends emails through SMTP_URL, or logs them for the operator if SMTP_URL is not set. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'publicUrl'>, logger: Logger): Mailer {
  return config.smtpUrl === undefined ? createLogMailer(logger) : createSmtpMailer(config.smtpUrl, config.publicUrl);
}

/**
 * These are the only log lines that contain a secret. Anyone who reads a reset link can set that account's password within 30 minutes.
 * Without email there is no other way to deliver the links; with SMTP_URL set, they are never logged.
 */
function createLogMailer(logger: Logger): Mailer {
  return {
    isConfigured: false,
    check: async () => undefined,

    async sendResetLink({ accountId, email, link }) {
      logger.warn({ account: accountId, email, link }, 'SMTP_URL is not set: pass this reset link to the account owner');
    },

    async sendVerificationLink({ accountId, email, link }) {
      logger.warn({ account: accountId, email, link }, 'SMTP_URL is not set: pass this verification link to the account owner');
    },

    // The link is shown to the person who invites, so it need not be logged.
    async sendInvitation() {},

    // The webhook's URL is not logged, because it may contain a token.
    async sendWebhookDisabled({ accountId, email, webhookId, reason }) {
      logger.warn({ account: accountId, email, webhook: webhookId, reason }, 'SMTP_URL is not set: a webhook was disabled');
    },
  };
}

function createSmtpMailer(smtpUrl: string, publicUrl: URL | undefined): Mailer {
  const from = { name: 'PromptHarbor', address: findSenderAddress(new URL(smtpUrl), publicUrl) };
  let transport: ReturnType<typeof openTransport> | undefined;

  async function send(to: string, content: MailContent): Promise<void> {
    transport ??= openTransport(smtpUrl);
    try {
      await (await transport).sendMail({ from, to, ...content, headers: { 'Auto-Submitted': 'auto-generated' } });
    } catch (err) {
      throw toMailError(err, to);
    }
  }

  return {
    isConfigured: true,
    async check() {
      transport ??= openTransport(smtpUrl);
      await (await transport).verify().catch((err: unknown) => {
        throw toMailError(err);
      });
    },
    sendResetLink: ({ email, link, isFirstProof }) => send(email, formatResetMail(link, isFirstProof)),
    sendVerificationLink: ({ email, link }) => send(email, formatVerificationMail(link)),
    sendInvitation: (message) => send(message.email, formatInvitationMail(message)),
    sendWebhookDisabled: (message) => send(message.email, formatWebhookMail(message, publicUrl)),
  };
}

interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Imported on the first message, because most starts never send one. */
async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 20_000,
    socketTimeout: 20_000,
    // Emails are fixed texts, so the library never needs to read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Converts an error. A response code of 500 or more is final, and so are the codes in `finalCodes`. Sending may succeed later after any
 * other error.
 */
function toMailError(err: unknown, to?: string): MailError {
  // nodemailer adds these fields to its errors.
  const { message = 'unknown error', code, responseCode } = err as { message?: string; code?: string; responseCode?: number };
  const isFinal = responseCode === undefined ? finalCodes.has(code ?? '') : responseCode >= 500;
  return new MailError(to === undefined ? message : message.replaceAll(to, 'the recipient'), { isTemporary: !isFinal, cause: err });
}

const finalCodes = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE', 'ENOAUTH', 'EOAUTH2', 'ECONFIG']);

/** Finds the sender: the `from` parameter of SMTP_URL, else its user if that is an email address, else `no-reply` at our own host. */
function findSenderAddress(smtpUrl: URL, publicUrl: URL | undefined): string {
  const from = smtpUrl.searchParams.get('from');
  if (from) return from;
  const user = decodeURIComponent(smtpUrl.username);
  return user.includes('@') ? user : `no-reply@${(publicUrl ?? smtpUrl).hostname}`;
}

/** What the first proof of an address revokes, see docs/decisions/0052-first-proof-of-an-address.md. */
const revokedByFirstProof =
  'your API key is replaced, two-factor authentication is turned off, all other sessions end, the members, service accounts and ' +
  'invitations of your workspace are removed, and its webhooks are disabled';

function formatResetMail(link: string, isFirstProof: boolean): MailContent {
  const effect = isFirstProof
    ? `The link works once. Because this email address was never verified, using the link revokes all earlier access: ${revokedByFirstProof}.`
    : 'The link works once. Setting a new password signs you out everywhere. Your API key does not change.';
  const before = 'Someone requested a new password for your PromptHarbor account. To set one, open this link within 30 minutes:';
  const after = `${effect} If you did not request this, ignore this message.`;
  return formatMail('Set a new PromptHarbor password', [before, link, after], link);
}

function formatVerificationMail(link: string): MailContent {
  const before =
    'A PromptHarbor account was created with this email address. If you created it, sign in and open this link within 24 hours to verify the address:';
  const after =
    `Verifying the address revokes all earlier access: ${revokedByFirstProof}. ` +
    'If you did not create this account, ignore this message. To take over the account, reset its password.';
  return formatMail('Verify your email address for PromptHarbor', [before, link, after], link);
}

function formatInvitationMail({ link, role, workspaceName, inviter: { name, email } }: InvitationMessage): MailContent {
  const inviter = toPlainName(name) ?? email;
  const workspace = toPlainName(workspaceName);
  const where = workspace === undefined ? 'a PromptHarbor workspace' : `the PromptHarbor workspace "${workspace}"`;
  const before = `${inviter} invited you to ${where} with the role ${role}. To accept, open this link within 7 days:`;
  const after = 'The link works once, for this email address only. If you do not know this person, ignore this message.';
  return formatMail(`${inviter} invited you to ${where}`, [before, link, after], link);
}

function formatWebhookMail({ workspaceName, url, reason }: WebhookDisabledMessage, publicUrl: URL | undefined): MailContent {
  const workspace = toPlainName(workspaceName);
  const where = workspace === undefined ? 'your PromptHarbor workspace' : `the PromptHarbor workspace "${workspace}"`;
  return formatMail(`A webhook in ${where} was disabled`, [
    // The email names only the host, because the rest of the URL may contain a token.
    `A webhook in ${where} was disabled. It sent events to ${new URL(url).host}.`,
    /[.]$/.test(reason) ? reason : `${reason}.`,
    `New events are not sent. Once the receiver works again, enable the webhook under Settings › Webhooks${publicUrl ? ` at ${publicUrl.origin}/dashboard` : ''} and replay the missing deliveries.`,
  ]);
}

function formatMail(subject: string, paragraphs: string[], link?: string): MailContent {
  const html = paragraphs.map((text) => `<p>${text === link ? `<a href="${link}">${link}</a>` : escapeHtml(text)}</p>\n`);
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: html.join('') };
}

/**
 * Removes names that look like links. Everyone chooses their own name and can invite any address, so such a name would let strangers
 * advertise their site in our emails.
 */
function toPlainName(name: string): string | undefined {
  return /\S[.@\u3002\uff0e\uff61]\S|:\/\//u.test(name) ? undefined : name;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
