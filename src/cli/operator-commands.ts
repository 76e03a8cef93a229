import type { Command, Option, Run } from './command.ts';
import type { TaskName } from './operator/tasks.ts';

const email: Option = { text: 'email address of the account', value: 'email', required: true };

const teamId: Option = { text: 'id of the team workspace', value: 'id', required: true };

/** Commands that run and administer a service on this machine. */
export const operatorCommands: Command[] = [
  { name: 'serve', summary: 'Start the service', load: async () => (await import('./serve.ts')).serve },
  {
    name: 'health',
    summary: 'Check that the service on this machine is ready, for health checks of containers',
    load: async () => (await import('./health.ts')).health,
  },
  {
    name: 'accounts list',
    summary: 'List all accounts with their verification status and the workspaces they are members of',
    load: task('accounts list'),
  },
  {
    name: 'accounts create',
    summary: 'Create an account and print its key. Asks for the password or reads it from standard input',
    options: { email, name: { text: 'display name', value: 'name' } },
    load: task('accounts create', 'Password'),
  },
  {
    name: 'accounts reset-password',
    summary: 'Set a new password for an account and end its sessions',
    options: { email },
    load: task('accounts reset-password', 'New password'),
  },
  {
    name: 'accounts set-email',
    summary: 'Change the email address of an account and end its sessions. The key does not change, and the new address is not verified',
    options: { email, to: { text: 'the new email address', value: 'email', required: true } },
    load: task('accounts set-email'),
  },
  {
    name: 'accounts disable-two-factor',
    summary: 'Remove the authenticator and passkeys of an account whose owner lost them and the recovery codes',
    options: { email },
    load: task('accounts disable-two-factor'),
  },
  {
    name: 'accounts delete',
    summary: 'Show what deleting an account removes, and delete it permanently with --confirm',
    options: {
      email,
      confirm: { text: 'the email address again, to delete the account', value: 'email' },
    },
    load: task('accounts delete'),
  },
  {
    name: 'teams list',
    summary: 'List all team workspaces with their owners and the number of members',
    load: task('teams list'),
  },
  {
    name: 'teams transfer',
    summary: 'Make an account the owner of a team workspace, for example after its owner has left',
    options: { id: teamId, email: { text: 'email address of the new owner', value: 'email', required: true } },
    examples: ['teams transfer --id w_mi4w7x2c_000a1d4b8365f0c9a7e --email grace@example.com  # the id is in teams list'],
    load: task('teams transfer'),
  },
  {
    name: 'teams delete',
    summary: 'Show what deleting a team workspace removes, and delete it permanently with --confirm',
    options: { id: teamId, confirm: { text: 'the id again, to delete the workspace', value: 'id' } },
    load: task('teams delete'),
  },
  {
    name: 'keys reset',
    summary:
      'Reset the API key of one account or of all accounts. Old keys stop working immediately; owners find their new keys in the ' +
      'dashboard',
    options: {
      email: { text: 'reset the key of the account with this email address', value: 'email' },
      all: { text: 'reset the keys of all accounts, including service accounts' },
    },
    examples: ['keys reset --email ada@example.com  # after a leak, if the owner cannot reset the key'],
    load: async () => (await import('./keys.ts')).resetKeysCommand,
  },
  {
    name: 'keys reseal',
    summary:
      'Re-encrypt stored API keys and two-factor, webhook and model secrets after a change of SECRET_KEY; requires SECRET_KEY_PREVIOUS',
    load: async () => (await import('./keys.ts')).resealKeysCommand,
  },
  {
    name: 'backup',
    summary: 'Copy the embedded database to a file and verify it. Works while the service runs',
    arguments: '<file>',
    options: { force: { text: 'replace the file if it exists' } },
    examples: ['backup /mnt/backups/harbor.db  # the backup does not contain the secret; keep a copy of it elsewhere'],
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Verify a backup and replace the embedded database with it. Stop the service first',
    arguments: '<file>',
    options: {
      'reset-changed-keys': { text: 'give new API keys to accounts that were deleted or whose key was reset after the backup' },
      'reset-all-keys': {
        text: 'reset the keys of all accounts; use it if no current database shows which keys were reset after the backup',
      },
      'accept-old-keys': { text: 'make the keys in the backup valid again' },
    },
    examples: ['restore /mnt/backups/harbor.db --reset-changed-keys  # shows what is lost and where the replaced database is kept'],
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'migrate-to',
    summary: 'Copy the embedded database to an empty PostgreSQL database',
    arguments: '[postgres://...]',
    load: async () => (await import('./migrate-to.ts')).migrateTo,
  },
  {
    name: 'doctor',
    summary: 'Check settings, database, secret, disk, backups, mail and sign-in providers, and report problems',
    arguments: '[backup…]',
    examples: ['doctor /mnt/backups/harbor.db  # also verifies this backup'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
];

/**
 * Returns a command that passes its options to the task of the same name. If a question is given, asks for a new password and passes it
 * too.
 */
function task(name: TaskName, question?: string): () => Promise<Run> {
  return async () => {
    const [{ runTask }, { readNewPassword }] = await Promise.all([import('./operator/run-task.ts'), import('./read-password.ts')]);
    return async ({ values }) =>
      runTask(name, question ? { ...values, password: await readNewPassword(`${question} for ${values.email}: `) } : values);
  };
}
