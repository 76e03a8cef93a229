import type { ExitCode } from './errors.ts';

/** What a command is called with. */
export interface Input {
  args: string[];
  values: Values;
}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Option {
  text: string;
  /** What follows the option, as the usage shows it. Without it, the option is a switch. */
  value?: string;
  short?: string;
  required?: true;
  /** May be given several times. */
  multiple?: true;
}

export type Run = (input: Input) => Promise<ExitCode> | Promise<void>;

export interface Command {
  name: string;
  summary: string;
  /** Whether it talks to a service over HTTP, or runs and administers one on this machine. */
  kind: 'client' | 'operator';
  /** The positional arguments as the usage shows them: `<required> [optional] [more…]`. */
  arguments?: string;
  options?: Record<string, Option>;
  /** Command lines without the name of the program, each with what it does. */
  examples?: [args: string, text: string][];
  /** Loads the code of the command, and nothing of others. */
  load(): Promise<Run>;
}

/** The value of an option that takes one. */
export function textOf({ values }: Input, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function hasOption({ values }: Input, name: string): boolean {
  return values[name] === true;
}

/** The values of an option that may be given several times. */
export function textsOf({ values }: Input, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
