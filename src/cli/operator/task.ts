import type { Context } from '../../domain/context.ts';
import type { Options } from '../command.ts';

export interface TaskOutput {
  /** Resolves when the line is on its way. Rejects once nobody reads anymore. */
  print(line: string): Promise<void>;
  /** Aborted when nobody waits for the result anymore. */
  signal: AbortSignal;
}

/**
 * The part of a command that works on the database: in the command's process, or in the service that has the database open. It is called
 * with the options of the command, and what was asked on the terminal.
 */
export type Task = (ctx: Context, input: Options, output: TaskOutput) => Promise<void>;
