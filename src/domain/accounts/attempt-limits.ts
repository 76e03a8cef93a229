import { hash } from 'node:crypto';
import { networkOf } from '../../platform/networks.ts';
import type { ThrottleRule } from '../../store/accounts/throttles.ts';
import type { Client } from '../actor.ts';
import { doublingWaits, type Limit } from './throttles.ts';

/** Someone who tries to sign in, identified by the email as typed, so that unknown accounts are throttled just like existing ones. */
export interface Attempt {
  email: string;
  client: Client;
}

/**
 * How an attempt relates to the account: it comes from a browser or an address that signed in to the account before, or from a new address.
 * All new addresses share one count, which does not affect the others, so that nobody can lock an owner out by guessing.
 */
export type Relation = { kind: 'device'; deviceId: string } | { kind: 'known address' } | { kind: 'new address' };

// A person gets a few attempts for mistyped passwords. An address gets more, because an office may share it.
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
// Other people at the same address may want to register, so the wait stays short.
const takenEmailsPerAddress = doublingWaits(20, { maxWaitSeconds: 60 });
const registrationsPerAddress = doublingWaits(1000);
const invitationsPerWorkspace = doublingWaits(200, { firstWaitSeconds: 60 });

/** The counts of password guesses at a sign-in. */
export function passwordLimits(attempt: Attempt, relation: Relation): Limit[] {
  const subject = `password:${digestEmail(attempt)}`;
  if (relation.kind === 'device') return [{ name: `${subject}#${relation.deviceId}`, rule: perPerson, clearedBySuccess: true }];
  const here: Limit = { name: `${subject}@${networkOf(attempt.client.address)}`, rule: perPerson, clearedBySuccess: true };
  const everywhere: Limit = { name: subject, rule: perAccount, clearedBySuccess: true };
  const anyAccount = fromAddress('password', perAddress)(attempt.client);
  return relation.kind === 'known address' ? [here, ...anyAccount] : [here, everywhere, ...anyAccount];
}

/** The counts that are cleared when the owner resets the password: all except those of other addresses. */
export function clearedByReset(email: string, addresses: string[]): string[] {
  const subject = `password:${digestEmail({ email })}`;
  return [subject, ...addresses.map((address) => `${subject}@${networkOf(address)}`)];
}

/** The count of password guesses by someone who is signed in. */
export function confirmationLimits(accountId: string): Limit[] {
  return [{ name: `confirmation:${accountId}`, rule: perPerson, clearedBySuccess: true }];
}

/** The count of guesses of the second factor. The whole account has a single count, because a code has only six digits. */
export function codeLimits(accountId: string): Limit[] {
  return [{ name: `code:${accountId}`, rule: perPerson, clearedBySuccess: true }];
}

/**
 * The counts of requested reset links. For each mailbox, all new addresses share one count. All browsers and addresses that have signed in
 * before share another, because a stranger who registered the address may have signed in from many. A wait is shorter than the lifetime of
 * a link, so a mailbox that has to wait always has a valid link.
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

/** The counts of verification emails to an address, whichever account requests them. */
export function verificationLimits(email: string, client: Client): Limit[] {
  return [
    { name: `verification:${digestEmail({ email })}`, rule: mailsPerAccount },
    ...fromAddress('verification', mailsPerAddress)(client),
  ];
}

/** The counts of emails to the old address of an account: about requests to change it, and about changes. */
export function emailNoticeLimits(email: string, isDone: boolean): Limit[] {
  return [{ name: `email-${isDone ? 'changed' : 'change'}:${digestEmail({ email })}`, rule: mailsPerAccount }];
}

/** The count of emails about a disabled webhook. */
export function webhookMailLimits(accountId: string, webhookId: string): Limit[] {
  return [{ name: `webhook-mail:${accountId}:${webhookId}`, rule: oncePerDay }];
}

/** The count of notifications about a used-up daily budget, by workspace and day. */
export function budgetNoticeLimits(workspaceId: string, day: string): Limit[] {
  return [{ name: `budget-notice:${workspaceId}:${day}`, rule: oncePerDay }];
}

/** The counts of notifications to an address: from one workspace, so that it cannot use up the limit alone, and from all workspaces. */
export function notificationLimits(email: string, workspaceId: string): Limit[] {
  const subject = `notification:${digestEmail({ email })}`;
  return [
    { name: `${subject}:${workspaceId}`, rule: notificationsPerWorkspace },
    { name: subject, rule: notificationsPerMailbox },
  ];
}

/** The count of accounts registered from an address. */
export const registrationLimits = fromAddress('registration', registrationsPerAddress);

/** The count of registrations from an address that were refused because the email is taken. */
export const takenEmailLimits = fromAddress('taken-email', takenEmailsPerAddress);

/** The count of invalid invitation links that an address has tried. */
export const invitationLinkLimits = fromAddress('invitation-link', perAddress);

/** The count of invitations to a workspace. */
export function invitationLimits(workspaceId: string): Limit[] {
  return [{ name: `invitation:${workspaceId}`, rule: invitationsPerWorkspace }];
}

/** The count of invitations that were emailed to an address, from any workspace. */
export function invitationMailLimits(email: string): Limit[] {
  return [{ name: `invitation-mail:${digestEmail({ email })}`, rule: mailsPerAccount }];
}

/** The email is digested, because it is personal data and sometimes a password typed into the wrong field. */
function digestEmail({ email }: Pick<Attempt, 'email'>): string {
  return hash('sha256', email.trim().toLowerCase(), 'base64url');
}

function fromAddress(name: string, rule: ThrottleRule): (client: Client) => Limit[] {
  return ({ address }) => [{ name: `${name}@${networkOf(address)}`, rule }];
}
