import type { BackupDifferences, ComparedAccount } from '../store/restore.ts';
import { count, toLine } from './terminal.ts';

const maxNamed = 100;

/** Returns one line for each kind of change that a restore undoes, with the accounts that it concerns. */
export function describeDifferences(differences: BackupDifferences): string[] {
  const { resetKeys, deleted, created, lost, changedPasswords, twoFactor, memberships } = differences;
  const members = memberships.map(({ email, role, workspace }) => `${email} (${role} of ${workspace})`);
  return [
    ...describe('Accounts whose key was reset since the backup; the old one would be valid again', emails(resetKeys)),
    ...describe(
      'Accounts that are only in the backup and come back, with their key; if they were deleted since, delete them again with accounts delete',
      emails(deleted),
    ),
    ...describe('Accounts that are not in the backup and are lost', emails(created)),
    ...(lost.prompts + lost.versions > 0
      ? [`Lost, because they are not in the backup: ${count(lost.prompts, 'prompt')} and ${count(lost.versions, 'version')}.`]
      : []),
    ...describe('Accounts whose password was changed since; the old one is valid again', emails(changedPasswords)),
    ...describe('Accounts with two-factor authentication that was turned on since; it is off again', emails(twoFactor)),
    ...describe('Members who left a workspace or got another role since; they are back', members),
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
