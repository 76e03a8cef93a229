import type { Command, Option, Run } from './command.ts';
import type { TaskName } from './operator/tasks.ts';

const email: Option = { text: 'its email address', value: 'email', required: true };

/** Commands that run and administer a service on this machine. */
export const operatorCommands: Command[] = [
  { name: 'serve', summary: 'Start the service', load: async () => (await import('./serve.ts')).serve },
  {
    name: 'accounts list',
    summary: 'List all accounts, with whether their address is verified and the workspaces they are members of',
    load: task('accounts list'),
  },
  {
    name: 'accounts create',
    summary: 'Create an account and print its key; prompts for the password or reads it from standard input',
    options: { email, name: { text: 'its display name', value: 'name' } },
    load: task('accounts create', 'Password'),
  },
  {
    name: 'accounts reset-password',
    summary: 'Set a new password for an account and end its sessions',
    options: { email },
    load: task('accounts reset-password', 'New password'),
  },
  {
    name: 'accounts disable-two-factor',
    summary: 'Turn off two-factor authentication for an account that lost its authenticator and recovery codes',
    options: { email },
    load: task('accounts disable-two-factor'),
  },
  {
    name: 'accounts delete',
    summary: 'Say what goes with an account, and delete it for good if confirmed',
    options: {
      email,
      confirm: { text: 'its email address again, to delete it', value: 'email' },
    },
    load: task('accounts delete'),
  },
  {
    name: 'keys reset',
    summary: 'Reset the API key of an account, or of all; the old one is dead at once, and owners find the new one in the dashboard',
    options: {
      email: { text: 'of the account with this email address', value: 'email' },
      all: { text: 'of all accounts, service accounts included' },
    },
    examples: ['keys reset --email ada@example.com  # after a leak, if its owner cannot'],
    load: async () => (await import('./keys.ts')).resetKeysCommand,
  },
  {
    name: 'keys reseal',
    summary:
      'Encrypt all that is stored encrypted (API keys, two-factor, webhook and model secrets) with SECRET_KEY, after a change from SECRET_KEY_PREVIOUS',
    load: async () => (await import('./keys.ts')).resealKeysCommand,
  },
  {
    name: 'backup',
    summary: 'Copy the embedded database to a file and verify it, also while the service runs',
    arguments: '<file>',
    options: { force: { text: 'replace the file if it exists' } },
    examples: ['backup /mnt/backups/harbor.db  # the secret is not in it: keep a copy of it elsewhere'],
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Replace the embedded database by a backup, after verifying it; the service must be stopped',
    arguments: '<file>',
    options: {
      'reset-changed-keys': { text: 'reset every API key that was reset or deleted since the backup' },
      'reset-all-keys': { text: 'reset the keys of all accounts, where no present database tells which were reset since' },
      'accept-old-keys': { text: 'let the keys of the backup be valid again' },
    },
    examples: ['restore /mnt/backups/harbor.db --reset-changed-keys  # says what of the present database is lost, and where it is kept'],
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
    summary: 'Check settings, database, secret, disk and backups, and report problems',
    arguments: '[backup…]',
    examples: ['doctor /mnt/backups/harbor.db  # also verifies this backup'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
];

/** A command that passes its options to the task of the same name, with a new password if it asks for one. */
function task(name: TaskName, question?: string): () => Promise<Run> {
  return async () => {
    const [{ runTask }, { readNewPassword }] = await Promise.all([import('./operator/run-task.ts'), import('./read-password.ts')]);
    return async ({ values }) =>
      runTask(name, question ? { ...values, password: await readNewPassword(`${question} for ${values.email}: `) } : values);
  };
}
