import { type Command, hasOption, type Input, type Run, textOf } from './command.ts';

/** Commands that run and administer a service on this machine. */
export const operatorCommands: Command[] = [
  { name: 'serve', kind: 'operator', summary: 'Start the service', load: operator(async () => (await import('./serve.ts')).serve) },
  {
    name: 'accounts list',
    kind: 'operator',
    summary: 'List all accounts, with the workspaces they are members of',
    load: operator(async () => (await import('./accounts.ts')).listAccounts),
  },
  {
    name: 'accounts create',
    kind: 'operator',
    summary: 'Create an account and print its key; prompts for the password or reads it from standard input',
    options: { email: { text: 'its email address (required)', value: 'email' }, name: { text: 'its display name', value: 'name' } },
    load: operator(async () => (await import('./accounts.ts')).createAccountCommand),
  },
  {
    name: 'accounts reset-password',
    kind: 'operator',
    summary: 'Set a new password for an account and end its sessions',
    options: { email: { text: 'its email address (required)', value: 'email' } },
    load: operator(async () => (await import('./accounts.ts')).resetPasswordCommand),
  },
  {
    name: 'accounts disable-two-factor',
    kind: 'operator',
    summary: 'Turn off two-factor authentication for an account that lost its authenticator and recovery codes',
    options: { email: { text: 'its email address (required)', value: 'email' } },
    load: operator(async () => (await import('./accounts.ts')).disableTwoFactorCommand),
  },
  {
    name: 'accounts delete',
    kind: 'operator',
    summary: 'Say what goes with an account, and delete it for good if confirmed',
    options: {
      email: { text: 'its email address (required)', value: 'email' },
      confirm: { text: 'its email address again, to delete it', value: 'email' },
    },
    load: operator(async () => (await import('./accounts.ts')).deleteAccountCommand),
  },
  {
    name: 'keys reseal',
    kind: 'operator',
    summary: 'Encrypt all stored keys and two-factor secrets with SECRET_KEY, after a change from SECRET_KEY_PREVIOUS',
    load: operator(async () => (await import('./keys.ts')).resealKeysCommand),
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
