import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { EmailChangeNotice, InvitationMessage, Mailer, NotificationMessage, OwnerChangedMessage } from './mail.ts';
import { MailError } from './mail-error.ts';
import { toPlainName } from './plain-name.ts';

/** Sends emails through SMTP_URL, or logs them for the operator if SMTP_URL is not set. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'publicUrl'>, logger: Logger): Mailer {
  return config.smtpUrl === undefined ? createLogMailer(logger) : createSmtpMailer(config.smtpUrl, config.publicUrl);
}

/**
 * Logs emails that contain links, so that the operator can pass the links on. No other log lines contain a secret. Anyone who reads a reset
 * link can set that account's password within 30 minutes. Without email, there is no other way to deliver the links. With SMTP_URL set, the
 * links are never logged.
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

    async sendEmailChangeLink({ accountId, email, link }) {
      logger.warn({ account: accountId, email, link }, 'SMTP_URL is not set: pass this link for a new email address to the account owner');
    },

    async sendEmailTaken({ accountId, email }) {
      logger.warn(
        { account: accountId, email },
        'SMTP_URL is not set: the new email address belongs to another account, so there is no link',
      );
    },

    // Nothing is logged, because the account's activity shows changes to its address.
    async sendEmailChangeNotice() {},

    // Nothing is logged, because the dashboard shows the link to the person who invites.
    async sendInvitation() {},

    // Nothing is logged, because the activity of both accounts shows the transfer.
    async sendOwnerChanged() {},

    // Nothing is logged, because the dashboard shows notifications.
    async sendNotification() {},
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
    sendEmailChangeLink: ({ email, link }) => send(email, formatEmailChangeMail(link)),
    sendEmailTaken: ({ email }) => send(email, formatEmailTakenMail()),
    sendEmailChangeNotice: (message) => send(message.email, formatEmailChangeNotice(message)),
    sendInvitation: (message) => send(message.email, formatInvitationMail(message, publicUrl)),
    sendOwnerChanged: (message) => send(message.email, formatOwnerMail(message)),
    sendNotification: (message) => send(message.email, formatNotification(message, publicUrl)),
  };
}

interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** The library is imported with the first message, because most processes never send one. */
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
 * Converts an error. A response code of 500 or more is final, and so are the codes in `finalCodes`. After any other error, sending may
 * succeed later.
 */
function toMailError(err: unknown, to?: string): MailError {
  // nodemailer adds these fields to its errors.
  const { message = 'unknown error', code, responseCode } = err as { message?: string; code?: string; responseCode?: number };
  const isFinal = responseCode === undefined ? finalCodes.has(code ?? '') : responseCode >= 500;
  return new MailError(to === undefined ? message : message.replaceAll(to, 'the recipient'), { isTemporary: !isFinal, cause: err });
}

const finalCodes = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE', 'ENOAUTH', 'EOAUTH2', 'ECONFIG']);

/**
 * Finds the sender's address: the `from` parameter of SMTP_URL, or the user in SMTP_URL if it is an email address, or `no-reply` at the
 * host of PUBLIC_URL (or of SMTP_URL).
 */
function findSenderAddress(smtpUrl: URL, publicUrl: URL | undefined): string {
  const from = smtpUrl.searchParams.get('from');
  if (from) return from;
  const user = decodeURIComponent(smtpUrl.username);
  return user.includes('@') ? user : `no-reply@${(publicUrl ?? smtpUrl).hostname}`;
}

/** The access that the first proof of an address revokes, see docs/decisions/0052-first-proof-of-an-address.md. */
const revokedByFirstProof =
  'your API key is replaced, two-factor authentication is turned off, your passkeys are removed, sign-in providers are unlinked, ' +
  'all other sessions end, the members, service accounts and invitations of your workspace are removed, and its webhooks are disabled';

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

function formatEmailChangeMail(link: string): MailContent {
  const before =
    'Someone wants to use this email address for their PromptHarbor account. If that was you, sign in to your account and open this link within 24 hours:';
  const after =
    'The link works once. After that, you sign in with this address, and all other sessions end. Your API key does not change, unless ' +
    'this is the first verified address of the account. If this was not you, ignore this message.';
  return formatMail('Confirm your new email address for PromptHarbor', [before, link, after], link);
}

function formatEmailTakenMail(): MailContent {
  return formatMail('This email address already has a PromptHarbor account', [
    'Someone wanted to use this email address for another PromptHarbor account. That is not possible, because you already have an account with this address.',
    'If that was you, first change the address of this account or delete the account, then try again. If this was not you, ignore this ' +
      'message. Your account is unchanged.',
  ]);
}

function formatEmailChangeNotice({ isDone, origin }: EmailChangeNotice): MailContent {
  if (isDone) {
    return formatMail('The email address of your PromptHarbor account was changed', [
      'The email address of your PromptHarbor account was changed. You can no longer sign in with this address, and this address no longer receives messages about the account.',
      'If this was not you, contact the operator of this PromptHarbor server right away.',
    ]);
  }
  const link = `${origin}/reset`;
  const before =
    'Someone who entered your password asked to change the email address of your PromptHarbor account. The change takes effect when the ' +
    'new address is confirmed.';
  const after = 'If this was not you, set a new password now. That cancels the change and ends all sessions:';
  return formatMail('The email address of your PromptHarbor account is about to change', [before, after, link], link);
}

function formatInvitationMail(
  { link, role, workspaceName, hasAccount, inviter: { name, email } }: InvitationMessage,
  publicUrl: URL | undefined,
): MailContent {
  const inviter = toPlainName(name) ?? email;
  const workspace = toPlainName(workspaceName);
  const where = workspace === undefined ? 'a PromptHarbor workspace' : `the PromptHarbor workspace "${workspace}"`;
  const before = `${inviter} invited you to ${where} with the role ${role}. To accept, open this link within 7 days:`;
  const after = 'The link works once, for this email address only. If you do not know this person, ignore this message.';
  const settings =
    publicUrl && hasAccount ? ['To turn off these emails, open Settings › Notifications:', `${publicUrl.origin}${settingsPath}`] : [];
  return formatMail(`${inviter} invited you to ${where}`, [before, link, after, ...settings], link, ...settings);
}

function formatOwnerMail({ workspaceName, ownerName }: OwnerChangedMessage): MailContent {
  const workspace = toPlainName(workspaceName);
  const where = workspace === undefined ? 'a PromptHarbor workspace' : `the PromptHarbor workspace "${workspace}"`;
  const owner = (ownerName === undefined ? undefined : toPlainName(ownerName)) ?? 'another member';
  return formatMail(`You are no longer the owner of ${where}`, [
    `You are no longer the owner of ${where}. The new owner is ${owner}. You are now an admin of the workspace.`,
    'If you did not transfer the workspace, set a new password and contact the operator of this PromptHarbor server.',
  ]);
}

function formatNotification({ title, more = [], path }: NotificationMessage, publicUrl: URL | undefined): MailContent {
  const where = 'Settings › Notifications in the dashboard';
  if (!publicUrl) return formatMail(toSubject(title), [title, ...more, `To turn off these emails, open ${where}.`]);
  const link = path === null ? undefined : `${publicUrl.origin}${path}`;
  const settings = `${publicUrl.origin}${settingsPath}`;
  const paragraphs = [title, ...more, ...(link ? [link] : []), `To turn off these emails, open ${where}:`, settings];
  return formatMail(toSubject(title), paragraphs, ...(link ? [link] : []), settings);
}

const settingsPath = '/dashboard/settings/notifications';

/** Returns the first sentence of a title, without its period. */
function toSubject(title: string): string {
  return title.replace(/[.](\s.*)?$/s, '');
}

function formatMail(subject: string, paragraphs: string[], ...links: string[]): MailContent {
  const html = paragraphs.map((text) => `<p>${links.includes(text) ? `<a href="${text}">${text}</a>` : escapeHtml(text)}</p>\n`);
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: html.join('') };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
