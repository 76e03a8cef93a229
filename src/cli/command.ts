import type { ExitCode } from './errors.ts';

/** What a command is called with. */
export interface Input extends Options {
  args: string[];
}

/** The options that were given, by name. */
export interface Options {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
}

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
  /** The positional arguments as the usage shows them: `<required> [optional] [more…]`. */
  arguments?: string;
  options?: Record<string, Option>;
  /** Command lines without the name of the program, some with a comment as in a shell. */
  examples?: string[];
  /** Loads the code of the command, and nothing of others. */
  load(): Promise<Run>;
}

/** The value of an option that takes one. */
export function textOf({ values }: Options, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Those of these options that were given. */
export function pickTexts({ values }: Options, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((given): given is [string, string] => names.includes(given[0])));
}

export function hasOption({ values }: Options, name: string): boolean {
  return values[name] === true;
}

/** The values of an option that may be given several times. */
export function textsOf({ values }: Options, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
