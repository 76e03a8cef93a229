import type { Context } from '../../domain/context.ts';
import { type Options, textOf } from '../command.ts';
import { CliError, exitCodes } from '../errors.ts';

export interface TaskOutput {
  /** Prints a line. Resolves when the line has been sent, and rejects if nobody is reading anymore. */
  print(line: string): Promise<void>;
  /** The signal is aborted when nobody waits for the result anymore. */
  signal: AbortSignal;
}

/**
 * The part of a command that uses the database, either in the command's process or in the service that has the database open. The task
 * receives the options of the command and the answers that were entered on the terminal.
 */
export type Task = (ctx: Context, input: Options, output: TaskOutput) => Promise<void>;

/** Returns the value of an option. Throws if the value is missing, which is possible if another program sent the request. */
export function requireText(input: Options, name: string): string {
  const value = textOf(input, name);
  if (!value) throw new CliError(`--${name} is missing.`, exitCodes.usage);
  return value;
}
