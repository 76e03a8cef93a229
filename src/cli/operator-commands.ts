import { type Command, hasOption, type Input, type Run, textOf } from './command.ts';
import type { TaskName } from './operator/tasks.ts';

/** Commands that run and administer a service on this machine. */
export const operatorCommands: Command[] = [
  { name: 'serve', kind: 'operator', summary: 'Start the service', load: operator(async () => (await import('./serve.ts')).serve) },
  {
    name: 'accounts list',
    kind: 'operator',
    summary: 'List all accounts, with the workspaces they are members of',
    load: task('accounts list'),
  },
  {
    name: 'accounts create',
    kind: 'operator',
    summary: 'Create an account and print its key; prompts for the password or reads it from standard input',
    options: { email: { text: 'its email address', value: 'email', required: true }, name: { text: 'its display name', value: 'name' } },
    load: operator(async () => (await import('./accounts.ts')).createAccountCommand),
  },
  {
    name: 'accounts reset-password',
    kind: 'operator',
    summary: 'Set a new password for an account and end its sessions',
    options: { email: { text: 'its email address', value: 'email', required: true } },
    load: operator(async () => (await import('./accounts.ts')).resetPasswordCommand),
  },
  {
    name: 'accounts disable-two-factor',
    kind: 'operator',
    summary: 'Turn off two-factor authentication for an account that lost its authenticator and recovery codes',
    options: { email: { text: 'its email address', value: 'email', required: true } },
    load: task('accounts disable-two-factor'),
  },
  {
    name: 'accounts delete',
    kind: 'operator',
    summary: 'Say what goes with an account, and delete it for good if confirmed',
    options: {
      email: { text: 'its email address', value: 'email', required: true },
      confirm: { text: 'its email address again, to delete it', value: 'email' },
    },
    load: task('accounts delete'),
  },
  {
    name: 'keys reset',
    kind: 'operator',
    summary: 'Reset the API key of an account, or of all; the old one is dead at once, and owners find the new one in the dashboard',
    options: {
      email: { text: 'of the account with this email address', value: 'email' },
      all: { text: 'of all accounts, service accounts included' },
    },
    examples: [['keys reset --email ada@example.com', 'after a leak, if its owner cannot']],
    load: async () => (await import('./keys.ts')).resetKeysCommand,
  },
  {
    name: 'keys reseal',
    kind: 'operator',
    summary:
      'Encrypt all that is stored encrypted (API keys, two-factor, webhook and model secrets) with SECRET_KEY, after a change from SECRET_KEY_PREVIOUS',
    load: operator(async () => (await import('./keys.ts')).resealKeysCommand),
  },
  {
    name: 'backup',
    kind: 'operator',
    summary: 'Copy the embedded database to a file and verify it, also while the service runs',
    arguments: '<file>',
    options: { force: { text: 'replace the file if it exists' } },
    examples: [['backup /mnt/backups/harbor.db', 'the secret is not in it: keep a copy of it elsewhere']],
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    kind: 'operator',
    summary: 'Replace the embedded database by a backup, after verifying it; the service must be stopped',
    arguments: '<file>',
    options: {
      'reset-changed-keys': { text: 'reset every API key that was reset or deleted since the backup' },
      'reset-all-keys': { text: 'reset the keys of all accounts, where no present database tells which were reset since' },
      'accept-old-keys': { text: 'let the keys of the backup be valid again' },
    },
    examples: [['restore /mnt/backups/harbor.db --reset-changed-keys', 'says what of the present database is lost, and where it is kept']],
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'migrate-to',
    kind: 'operator',
    summary: 'Copy the embedded database to an empty PostgreSQL database',
    arguments: '[postgres://...]',
    load: operator(async () => (await import('./migrate-to.ts')).migrateTo),
  },
  {
    name: 'doctor',
    kind: 'operator',
    summary: 'Check settings, database, secret and disk, and report problems',
    load: operator(async () => (await import('./doctor.ts')).doctor),
  },
];

/** A command that only passes its options to the task of the same name. */
function task(name: TaskName): () => Promise<Run> {
  return operator(async () => {
    const { runTask } = await import('./operator/run-task.ts');
    return (values) => runTask(name, values);
  });
}

/** Operator commands take their options and their only argument by name. */
function operator(load: () => Promise<(values: Record<string, string | undefined>) => Promise<void>>): () => Promise<Run> {
  return async () => {
    const run = await load();
    return (input: Input) => {
      const names = Object.keys(input.values).filter((name) => !hasOption(input, name));
      return run({ ...Object.fromEntries(names.map((name) => [name, textOf(input, name)])), argument: input.args[0] });
    };
  };
}
