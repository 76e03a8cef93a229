import { parseArgs } from 'node:util';
import type { Command, Input } from './cli/command.ts';
import { clientCommands, commands } from './cli/commands.ts';
import { CliError, exitCodeOf, exitCodes, formatError, messageOf, UsageError } from './cli/errors.ts';
import { write } from './cli/terminal.ts';
import { describeUnknownCommand, formatCommandUsage, formatUsage, isAlike } from './cli/usage.ts';
import { describeBuild } from './version.ts';

/** Runs the command given by the arguments and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  tolerateLostOutput();
  if (args[0] === 'help' && args.length > 1) return main([...args.slice(1), '--help']);
  if (args.length === 0 || args[0] === 'help' || args[0] === '--help' || args[0] === '-h') {
    write(process.stdout, formatUsage());
    return exitCodes.ok;
  }
  if (args[0] === '--version' || args[0] === '-v') {
    const { version, commit, form } = describeBuild();
    write(process.stdout, `${version} (${form}, commit ${commit})\n`);
    return exitCodes.ok;
  }
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `));
  if (group.length > 0 && (args.length === 1 || args[1] === '--help' || args[1] === '-h')) {
    write(process.stdout, group.map(formatCommandUsage).join('\n'));
    return exitCodes.ok;
  }
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) {
    write(process.stderr, `promptharbor: ${describeUnknownCommand(args)}\n`);
    return exitCodes.usage;
  }
  return runCommand(command, args.slice(command.name.split(' ').length));
}

async function runCommand(command: Command, args: string[]): Promise<number> {
  let input: Input | undefined;
  try {
    input = parseInput(command, args);
    if (input.values.help) {
      write(process.stdout, formatCommandUsage(command));
      return exitCodes.ok;
    }
    const run = await command.load();
    return (await run(input)) ?? Number(process.exitCode ?? exitCodes.ok);
  } catch (thrown) {
    const err = clientCommands.includes(command) ? await explainClientError(thrown, input) : thrown;
    const usage = err instanceof UsageError ? `\n\n${formatCommandUsage(command).trimEnd()}` : '';
    write(process.stderr, `promptharbor: ${formatError(err)}${usage}\n`);
    return exitCodeOf(err);
  }
}

/**
 * Ignores errors that occur when output can no longer be written, for example with `| head` or on a full disk. Such errors must not end the
 * program in the middle of its work.
 */
function tolerateLostOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (err: NodeJS.ErrnoException) => {
    if (err.code !== 'EPIPE') process.exitCode = 1;
  });
}

function parseInput(command: Command, args: string[]): Input {
  const options = Object.entries(command.options ?? {}).map(([name, { value, short, multiple }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(short && { short }), ...(multiple && { multiple }) } as const,
  ]);
  const { positionals, values }: { positionals: string[]; values: Input['values'] } = parseOptions(args, {
    ...Object.fromEntries(options),
    help: { type: 'boolean', short: 'h' },
  });
  const expected = command.arguments?.match(/<[^>]+>|\[[^\]]+\]/g) ?? [];
  const required = expected.filter((argument) => argument.startsWith('<'));
  if (!values.help && positionals.length < required.length) throw new UsageError(`${required[positionals.length]} is missing.`);
  const missing = Object.entries(command.options ?? {}).find(([name, { required }]) => required && !values[name]);
  if (!values.help && missing) throw new UsageError(`--${missing[0]} is missing.`);
  if (!expected.at(-1)?.includes('…') && positionals.length > expected.length) {
    throw new UsageError(`Unexpected argument '${positionals[expected.length]}'.`);
  }
  return { args: positionals, values };
}

function parseOptions(args: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (err) {
    const message = messageOf(err);
    const [start, option] = /^Unknown option '--([^']*)'/.exec(message) ?? [];
    if (option === undefined) throw new UsageError(message);
    const alike = Object.keys(options ?? {}).find((name) => isAlike(name, option));
    throw new UsageError(`${start}.${alike === undefined ? '' : ` Did you mean --${alike}?`}`);
  }
}

/** Explains an error of the client. The module is imported here, because it is needed only after a failure. */
async function explainClientError(err: unknown, input: Input | undefined): Promise<unknown> {
  if (err instanceof CliError || input === undefined) return err;
  const { explainError } = await import('./cli/connection.ts');
  return explainError(err, input);
}
