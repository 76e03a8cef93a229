import { parseArgs } from 'node:util';
import { createAccountCommand, disableTwoFactorCommand, listAccounts, resetPasswordCommand } from './cli/accounts.ts';
import { doctor } from './cli/doctor.ts';
import { resealKeysCommand } from './cli/keys.ts';
import { migrateTo } from './cli/migrate-to.ts';
import { serve } from './cli/serve.ts';
import { AppError, StartError } from './errors.ts';

interface Command {
  words: string;
  summary: string;
  /** The one word that follows the command, given to it under this name. */
  argument?: string;
  options?: Record<string, string>;
  run(values: Record<string, string | undefined>): Promise<void>;
}

const commands: Command[] = [
  { words: 'serve', summary: 'Start the service', run: serve },
  { words: 'accounts list', summary: 'List all accounts', run: listAccounts },
  {
    words: 'accounts create',
    summary: 'Make an account and print its key; the password is asked for, or read from standard input',
    options: { email: 'its e-mail address', name: 'its display name' },
    run: createAccountCommand,
  },
  {
    words: 'accounts reset-password',
    summary: 'Set a new password and end all sessions of an account',
    options: { email: 'its e-mail address' },
    run: resetPasswordCommand,
  },
  {
    words: 'accounts disable-two-factor',
    summary: 'Switch two-factor off for an account that lost its authenticator and its recovery codes',
    options: { email: 'its e-mail address' },
    run: disableTwoFactorCommand,
  },
  {
    words: 'keys reseal',
    summary: 'Encrypt all stored keys and two-factor secrets with SECRET_KEY, after a change from SECRET_KEY_PREVIOUS',
    run: resealKeysCommand,
  },
  {
    words: 'migrate-to',
    summary: 'Move the embedded database into an empty PostgreSQL',
    argument: 'postgres://...',
    run: migrateTo,
  },
  { words: 'doctor', summary: 'Check settings, database, secret and disk, and say what is wrong', run: doctor },
];

/** Runs the command that the arguments name. Returns the exit code. */
export async function main(args: string[]): Promise<number> {
  if (args.length === 0 || args[0] === 'help' || args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(usage());
    return 0;
  }
  const command = commands.find(({ words }) => args.slice(0, words.split(' ').length).join(' ') === words);
  if (!command) {
    process.stderr.write(`promptharbor: there is no command "${args.filter((arg) => !arg.startsWith('-')).join(' ')}".\n\n${usage()}`);
    return 2;
  }
  try {
    const values = parseOptions(command, args.slice(command.words.split(' ').length));
    if (values.help) process.stdout.write(usageOf(command));
    else await command.run(values);
    return Number(process.exitCode ?? 0);
  } catch (err) {
    process.stderr.write(`promptharbor: ${explain(err)}\n`);
    return 1;
  }
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
    return help ? { help: 'yes' } : { ...(rest as Record<string, string>), argument: positionals[0] };
  } catch (err) {
    throw new StartError(`${err instanceof Error ? err.message : err}\n\n${usageOf(command)}`);
  }
}

/** One sentence for what the operator can mend; the stack only for what is our problem. */
function explain(err: unknown): string {
  if (err instanceof StartError) return err.message;
  if (err instanceof AppError) return err.details?.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('\n') ?? err.message;
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}

function usage(): string {
  const rows = commands.map(({ words, summary }) => `  ${words.padEnd(30)}${summary}`);
  return `PromptHarbor keeps prompts out of your code.

Usage: promptharbor <command> [options]

${rows.join('\n')}

  promptharbor <command> --help   shows a command's options

Settings are environment variables: PORT, HOST, DATA_DIR, DATABASE_URL, SECRET_KEY and others; see docs/settings.md.
`;
}

function usageOf({ words, summary, argument, options = {} }: Command): string {
  const rows = Object.entries({ ...options }).map(([name, text]) => `  --${name.padEnd(12)}${text}`);
  return `Usage: promptharbor ${words}${argument === undefined ? '' : ` ${argument}`}${rows.length > 0 ? ' [options]' : ''}\n\n${summary}.\n${rows.length > 0 ? `\n${rows.join('\n')}\n` : ''}`;
}
