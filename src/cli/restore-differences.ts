import type { BackupDifferences, ComparedAccount } from '../store/restore.ts';
import { toLine } from './terminal.ts';

const maxNamed = 100;

/** One line for everything that a restore undoes, with the accounts that it concerns. */
export function describeDifferences(differences: BackupDifferences): string[] {
  const { resetKeys, deleted, created, changedPasswords, twoFactor, memberships } = differences;
  const members = memberships.map(({ email, role, workspace }) => `${email} (${role} of ${workspace})`);
  return [
    ...describe('Their key was reset since the backup, and the old one would be valid again', emails(resetKeys)),
    ...describe('They were deleted since and come back, with their key; delete them again with accounts delete', emails(deleted)),
    ...describe('They were created since and are lost', emails(created)),
    ...describe('Their password was changed since, and the old one is valid again', emails(changedPasswords)),
    ...describe('They turned two-factor authentication on since, and it is off again', emails(twoFactor)),
    ...describe('They left a workspace or got another role since, and are back', members),
  ];
}

function describe(title: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return [`${title}: ${names.slice(0, maxNamed).map(toLine).join(', ')}${more}.`];
}

function emails(accounts: ComparedAccount[]): string[] {
  return accounts.map(({ email }) => email);
}
