import type { BackupDifferences, ComparedAccount } from '../store/restore.ts';
import { count, toLine } from './terminal.ts';

const maxNamed = 100;

/** Returns one line for each kind of change that a restore undoes, with the accounts that are affected. */
export function describeDifferences(differences: BackupDifferences): string[] {
  const { resetKeys, deleted, created, teams, lost, changedPasswords, twoFactor, memberships } = differences;
  const members = memberships.map(({ email, role, workspace }) => `${email} (${role} of ${workspace})`);
  return [
    ...describe('Accounts whose key was reset after the backup (the old key would become valid again)', emails(resetKeys)),
    ...describe(
      'Accounts that exist only in the backup and come back with their keys (if they were deleted on purpose, delete them again with "accounts delete")',
      emails(deleted),
    ),
    ...describe('Accounts that are lost because they are not in the backup', emails(created)),
    ...describe('Team workspaces that exist only in the backup and come back (their owners can delete them again)', teams.deleted),
    ...describe('Team workspaces that are lost because they are not in the backup', teams.created),
    ...(lost.prompts + lost.versions > 0
      ? [`Lost because they are not in the backup: ${count(lost.prompts, 'prompt')} and ${count(lost.versions, 'version')}.`]
      : []),
    ...describe('Accounts whose password was changed after the backup (the old password becomes valid again)', emails(changedPasswords)),
    ...describe('Accounts that turned on two-factor authentication after the backup (it will be off again)', emails(twoFactor)),
    ...describe('Members who left a workspace or got a different role after the backup (they get their old role back)', members),
  ];
}

/** Returns whether a restore would lose anything that was created since the backup. */
export function hasLosses({ lost, created, teams }: BackupDifferences): boolean {
  return lost.prompts + lost.versions + created.length + teams.created.length > 0;
}

function describe(title: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return [`${title}: ${names.slice(0, maxNamed).map(toLine).join(', ')}${more}.`];
}

function emails(accounts: ComparedAccount[]): string[] {
  return accounts.map(({ email }) => email);
}
