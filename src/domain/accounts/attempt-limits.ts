import { hash } from 'node:crypto';
import { networkOf } from '../../platform/networks.ts';
import type { ThrottleRule } from '../../store/accounts/throttles.ts';
import type { Client } from '../actor.ts';
import { doublingWaits, type Limit } from './throttles.ts';

/**
 * An attempt to sign in. It is identified by the email as typed, so that attempts for unknown accounts are throttled like attempts for
 * existing accounts.
 */
export interface Attempt {
  email: string;
  client: Client;
}

/**
 * How an attempt relates to the account: it comes from a browser that has signed in to the account before, from an address from which
 * someone has signed in to it before, or from a new address. All new addresses share one count, which is separate from the counts of
 * devices and known addresses. Guesses from new addresses therefore cannot lock the owner out.
 */
export type Relation = { kind: 'device'; deviceId: string } | { kind: 'known address' } | { kind: 'new address' };

// A person may mistype the password a few times without a wait. An address gets more attempts, because a whole office may share it.
const perPerson = doublingWaits(5);
const perAccount = doublingWaits(20);
const perAddress = doublingWaits(50);
const mailsPerAccount = doublingWaits(3, { firstWaitSeconds: 60 });
const mailsPerAddress = doublingWaits(20, { firstWaitSeconds: 60 });
const linksPerMailbox = doublingWaits(10, { firstWaitSeconds: 60 });
const hourMs = 60 * 60 * 1000;
const notificationsPerMailbox: ThrottleRule = { freeAttempts: 10, waitsMs: [hourMs], forgetAfterMs: hourMs };
const notificationsPerWorkspace: ThrottleRule = { freeAttempts: 3, waitsMs: [hourMs], forgetAfterMs: hourMs };
const oncePerDay: ThrottleRule = { freeAttempts: 1, waitsMs: [24 * hourMs], forgetAfterMs: 24 * hourMs };
// The wait is short, because other people at the same address may want to register.
const takenEmailsPerAddress = doublingWaits(20, { maxWaitSeconds: 60 });
const registrationsPerAddress = doublingWaits(1000);
const invitationsPerWorkspace = doublingWaits(200, { firstWaitSeconds: 60 });

/** Returns the limits on password guesses at a sign-in. */
export function passwordLimits(attempt: Attempt, relation: Relation): Limit[] {
  const subject = `password:${digestEmail(attempt)}`;
  if (relation.kind === 'device') return [{ name: `${subject}#${relation.deviceId}`, rule: perPerson, clearedBySuccess: true }];
  const here: Limit = { name: `${subject}@${networkOf(attempt.client.address)}`, rule: perPerson, clearedBySuccess: true };
  const everywhere: Limit = { name: subject, rule: perAccount, clearedBySuccess: true };
  const anyAccount = fromAddress('password', perAddress)(attempt.client);
  return relation.kind === 'known address' ? [here, ...anyAccount] : [here, everywhere, ...anyAccount];
}

/** Returns the names of the counts to clear when the owner resets the password. The counts of other addresses stay. */
export function clearedByReset(email: string, addresses: string[]): string[] {
  const subject = `password:${digestEmail({ email })}`;
  return [subject, ...addresses.map((address) => `${subject}@${networkOf(address)}`)];
}

/** Returns the limit on password guesses by someone who is signed in. */
export function confirmationLimits(accountId: string): Limit[] {
  return [{ name: `confirmation:${accountId}`, rule: perPerson, clearedBySuccess: true }];
}

/** Returns the limit on guesses of the second factor. It applies to the whole account, because a code has only six digits. */
export function codeLimits(accountId: string): Limit[] {
  return [{ name: `code:${accountId}`, rule: perPerson, clearedBySuccess: true }];
}

/** The limit on command-line sign-ins that are started from an address. */
export const cliSignInLimits = fromAddress('cli-sign-in', perAddress);

/** Returns the limit on wrong codes that an account enters for command-line sign-ins. */
export function cliCodeLimits(accountId: string): Limit[] {
  // Correct codes do not clear the count, because the account can start sign-ins of its own.
  return [{ name: `cli-code:${accountId}`, rule: perPerson }];
}

/** The limit on refused passkey signatures from an address. */
export const passkeyLimits = fromAddress('passkey', perAddress);

/**
 * Returns the limits on requests for reset links. For each mailbox, all new addresses share one count. All browsers and addresses that have
 * signed in before share another count. If each of them had its own count, a stranger who registered the email and signed in from many
 * places could fill the mailbox with emails. Each wait is shorter than the lifetime of a link, so the mailbox has a valid link during every
 * wait.
 */
export function resetLinkLimits(attempt: Attempt, relation: Relation): Limit[] {
  const subject = `reset-link:${digestEmail(attempt)}`;
  const anyAccount = fromAddress('reset-link', mailsPerAddress)(attempt.client);
  if (relation.kind === 'new address') return [{ name: subject, rule: mailsPerAccount, clearedBySuccess: true }, ...anyAccount];
  const own = relation.kind === 'device' ? `#${relation.deviceId}` : `@${networkOf(attempt.client.address)}`;
  return [
    { name: `${subject}${own}`, rule: mailsPerAccount, clearedBySuccess: true },
    { name: `${subject}+known`, rule: linksPerMailbox },
    ...anyAccount,
  ];
}

/** Returns the limits on verification emails to an address. They apply to all accounts together. */
export function verificationLimits(email: string, client: Client): Limit[] {
  return [
    { name: `verification:${digestEmail({ email })}`, rule: mailsPerAccount },
    ...fromAddress('verification', mailsPerAddress)(client),
  ];
}

/** Returns the limits on emails to the old address of an account, about a requested or a completed change of address. */
export function emailNoticeLimits(email: string, isDone: boolean): Limit[] {
  return [{ name: `email-${isDone ? 'changed' : 'change'}:${digestEmail({ email })}`, rule: mailsPerAccount }];
}

/** Returns the limit on emails about a disabled webhook. */
export function webhookMailLimits(accountId: string, webhookId: string): Limit[] {
  return [{ name: `webhook-mail:${accountId}:${webhookId}`, rule: oncePerDay }];
}

/** Returns the limit on notifications about a used-up daily budget, per workspace and day. */
export function budgetNoticeLimits(workspaceId: string, day: string): Limit[] {
  return [{ name: `budget-notice:${workspaceId}:${day}`, rule: oncePerDay }];
}

/**
 * Returns the limits on notifications to an address, from one workspace and from all workspaces. A single workspace cannot use up the limit
 * for all workspaces.
 */
export function notificationLimits(email: string, workspaceId: string): Limit[] {
  const subject = `notification:${digestEmail({ email })}`;
  return [
    { name: `${subject}:${workspaceId}`, rule: notificationsPerWorkspace },
    { name: subject, rule: notificationsPerMailbox },
  ];
}

/** The limit on accounts registered from an address. */
export const registrationLimits = fromAddress('registration', registrationsPerAddress);

/** The limit on registrations from an address that are refused because the email is taken. */
export const takenEmailLimits = fromAddress('taken-email', takenEmailsPerAddress);

/** The limit on failed sign-ins at providers from an address. */
export const providerLimits = fromAddress('provider', perAddress);

/** The limit on invalid invitation links that an address tries. */
export const invitationLinkLimits = fromAddress('invitation-link', perAddress);

/** Returns the limit on invitations to a workspace. */
export function invitationLimits(workspaceId: string): Limit[] {
  return [{ name: `invitation:${workspaceId}`, rule: invitationsPerWorkspace }];
}

/** Returns the limit on invitations that are emailed to an address, from all workspaces together. */
export function invitationMailLimits(email: string): Limit[] {
  return [{ name: `invitation-mail:${digestEmail({ email })}`, rule: mailsPerAccount }];
}

/** The email is digested, because it is personal data. It may even be a password that was typed into the wrong field. */
function digestEmail({ email }: Pick<Attempt, 'email'>): string {
  return hash('sha256', email.trim().toLowerCase(), 'base64url');
}

function fromAddress(name: string, rule: ThrottleRule): (client: Client) => Limit[] {
  return ({ address }) => [{ name: `${name}@${networkOf(address)}`, rule }];
}
