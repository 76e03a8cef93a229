import type { MailQueue } from './mail-queue.ts';

/** The dependencies of use cases that send email. */
export interface WithMail {
  mailer: Mailer;
  /** The queue that all emails pass through. */
  mails: MailQueue;
}

/** Sends one email, or rejects with a MailError. */
export interface Mailer {
  /** Whether email is configured. If it is not, reset links are logged, and invitation links must be passed on by hand. */
  readonly isConfigured: boolean;
  /** Connects and signs in to the mail server. Rejects with a MailError if that fails. */
  check(): Promise<void>;
  /** Sends a link for a new password. `isFirstProof` means that the use of the link revokes all earlier access. */
  sendResetLink(message: LinkMessage & { isFirstProof: boolean }): Promise<void>;
  sendVerificationLink(message: LinkMessage): Promise<void>;
  /** Sends a link to the new address of an account. */
  sendEmailChangeLink(message: LinkMessage): Promise<void>;
  /** Sends an email without a link to an address that already belongs to another account. */
  sendEmailTaken(message: Omit<LinkMessage, 'link'>): Promise<void>;
  /**
   * Notifies the old address of an account that a change of address was requested or, if `isDone` is true, that the address was changed.
   */
  sendEmailChangeNotice(message: EmailChangeNotice): Promise<void>;
  sendInvitation(message: InvitationMessage): Promise<void>;
  sendNotification(message: NotificationMessage): Promise<void>;
  /** Tells the former owner of a team workspace that the workspace was transferred. */
  sendOwnerChanged(message: OwnerChangedMessage): Promise<void>;
}

interface LinkMessage {
  accountId: string;
  email: string;
  link: string;
}

export interface EmailChangeNotice {
  accountId: string;
  email: string;
  isDone: boolean;
  /** The origin of the link for a new password. */
  origin: string;
}

export interface InvitationMessage {
  email: string;
  link: string;
  role: string;
  workspaceName: string;
  /** Whether the address belongs to an account. The owner of an account can turn off such emails. */
  hasAccount: boolean;
  inviter: { name: string; email: string };
}

export interface OwnerChangedMessage {
  email: string;
  workspaceName: string;
  /** The name of the new owner. */
  ownerName: string | undefined;
}

export interface NotificationMessage {
  accountId: string;
  email: string;
  title: string;
  more?: string[];
  /** The dashboard page that the notification is about. */
  path: string | null;
}
