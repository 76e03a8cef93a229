import { parseArgs } from 'node:util';
import { createAccountCommand, deleteAccountCommand, disableTwoFactorCommand, listAccounts, resetPasswordCommand } from './cli/accounts.ts';
import { doctor } from './cli/doctor.ts';
import { resealKeysCommand } from './cli/keys.ts';
import { migrateTo } from './cli/migrate-to.ts';
import { serve } from './cli/serve.ts';
import { AppError, StartError } from './errors.ts';
import { version } from './version.ts';

interface Command {
  name: string;
  summary: string;
  /** The positional argument as the usage shows it; passed to `run` as `argument`. */
  argument?: string;
  options?: Record<string, string>;
  run(values: Record<string, string | undefined>): Promise<void>;
}

const commands: Command[] = [
  { name: 'serve', summary: 'Start the service', run: serve },
  { name: 'accounts list', summary: 'List all accounts, with the workspaces they are members of', run: listAccounts },
  {
    name: 'accounts create',
    summary: 'Create an account and print its key; prompts for the password or reads it from standard input',
    options: { email: 'its email address (required)', name: 'its display name' },
    run: createAccountCommand,
  },
  {
    name: 'accounts reset-password',
    summary: 'Set a new password for an account and end its sessions',
    options: { email: 'its email address (required)' },
    run: resetPasswordCommand,
  },
  {
    name: 'accounts disable-two-factor',
    summary: 'Turn off two-factor authentication for an account that lost its authenticator and recovery codes',
    options: { email: 'its email address (required)' },
    run: disableTwoFactorCommand,
  },
  {
    name: 'accounts delete',
    summary: 'Say what goes with an account, and delete it for good if confirmed',
    options: { email: 'its email address (required)', confirm: 'its email address again, to delete it' },
    run: deleteAccountCommand,
  },
  {
    name: 'keys reseal',
    summary: 'Encrypt all stored keys and two-factor secrets with SECRET_KEY, after a change from SECRET_KEY_PREVIOUS',
    run: resealKeysCommand,
  },
  {
    name: 'migrate-to',
    summary: 'Copy the embedded database to an empty PostgreSQL database',
    argument: 'postgres://...',
    run: migrateTo,
  },
  { name: 'doctor', summary: 'Check settings, database, secret and disk, and report problems', run: doctor },
];

/** Runs the command given by the arguments and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  tolerateLostOutput();
  if (args.length === 0 || args[0] === 'help' || args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(formatUsage());
    return 0;
  }
  if (args[0] === '--version' || args[0] === '-v') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `));
  if (group.length > 0 && (args.length === 1 || args[1] === '--help' || args[1] === '-h')) {
    process.stdout.write(group.map(formatCommandUsage).join('\n'));
    return 0;
  }
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) {
    process.stderr.write(
      `promptharbor: there is no command "${args.filter((arg) => !arg.startsWith('-')).join(' ')}".\n\n${formatUsage()}`,
    );
    return 2;
  }
  try {
    const values = parseOptions(command, args.slice(command.name.split(' ').length));
    if (values.help) process.stdout.write(formatCommandUsage(command));
    else await command.run(values);
    return Number(process.exitCode ?? 0);
  } catch (err) {
    process.stderr.write(`promptharbor: ${formatError(err)}\n`);
    return 1;
  }
}

/** An output that is gone, such as `| head` or a full disk, must not end the program in the middle of its work. */
function tolerateLostOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (err: NodeJS.ErrnoException) => {
    if (err.code !== 'EPIPE') process.exitCode = 1;
  });
}

function parseOptions(command: Command, args: string[]): Record<string, string | undefined> & { help?: string } {
  const names = Object.keys(command.options ?? {});
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: command.argument !== undefined,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { help, ...rest } = values;
    if (positionals.length > 1) throw new Error(`Unexpected argument '${positionals[1]}'.`);
    // All options but `help` are declared as strings above.
    return help ? { help: 'yes' } : { ...(rest as Record<string, string>), argument: positionals[0] };
  } catch (err) {
    throw new StartError(`${err instanceof Error ? err.message : err}\n\n${formatCommandUsage(command)}`);
  }
}

/** The message alone for errors the operator can fix, the stack for bugs. */
function formatError(err: unknown): string {
  if (err instanceof StartError) return err.message;
  if (err instanceof AppError) return err.details?.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('\n') ?? err.message;
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}

function formatUsage(): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(30)}${summary}`);
  return `PromptHarbor keeps prompts out of your code.

Usage: promptharbor <command> [options]

${rows.join('\n')}

  promptharbor <command> --help   shows a command's options

Stop the service before commands on accounts and keys of the embedded database; with PostgreSQL it may run.
Settings are environment variables: PORT, HOST, DATA_DIR, DATABASE_URL, SECRET_KEY and others; see docs/settings.md.
`;
}

function formatCommandUsage({ name, summary, argument, options = {} }: Command): string {
  const rows = Object.entries({ ...options }).map(([name, text]) => `  --${name.padEnd(12)}${text}`);
  return `Usage: promptharbor ${name}${argument === undefined ? '' : ` ${argument}`}${rows.length > 0 ? ' [options]' : ''}\n\n${summary}.\n${rows.length > 0 ? `\n${rows.join('\n')}\n` : ''}`;
}
