import type { Context } from '../../domain/context.ts';

/** What a task is called with: the options of a command, and what was asked on the terminal. */
export type TaskInput = Record<string, string | boolean | undefined>;

export interface TaskOutput {
  /** Resolves when the line is on its way. Rejects once nobody reads anymore. */
  print(line: string): Promise<void>;
  /** Aborted when nobody waits for the result anymore. */
  signal: AbortSignal;
}

/** The part of a command that works on the database: in the command's process, or in the service that has the database open. */
export type Task = (ctx: Context, input: TaskInput, output: TaskOutput) => Promise<void>;

/** The text of an option. */
export function textIn(input: TaskInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
}

export function hasIn(input: TaskInput, name: string): boolean {
  return input[name] === true;
}
