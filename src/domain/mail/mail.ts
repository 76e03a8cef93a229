import type { MailQueue } from './mail-queue.ts';

/** The dependencies of use cases that send email. */
export interface WithMail {
  mailer: Mailer;
  /** The queue that all emails pass through. */
  mails: MailQueue;
}

/** Sends one email, or rejects with a MailError. */
export interface Mailer {
  /** Whether email is configured. Without a mail server, a reset link is logged, and an invitation link must be passed on by hand. */
  readonly isConfigured: boolean;
  /** Connects and signs in to the mail server. Rejects with a MailError if that fails. */
  check(): Promise<void>;
  /** With `isFirstProof`, using the link revokes all earlier access. */
  sendResetLink(message: LinkMessage & { isFirstProof: boolean }): Promise<void>;
  sendVerificationLink(message: LinkMessage): Promise<void>;
  sendInvitation(message: InvitationMessage): Promise<void>;
  sendWebhookDisabled(message: WebhookDisabledMessage): Promise<void>;
}

interface LinkMessage {
  accountId: string;
  email: string;
  link: string;
}

export interface InvitationMessage {
  email: string;
  link: string;
  role: string;
  workspaceName: string;
  inviter: { name: string; email: string };
}

export interface WebhookDisabledMessage {
  accountId: string;
  email: string;
  workspaceName: string;
  webhookId: string;
  url: string;
  reason: string;
}
