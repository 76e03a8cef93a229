import type { ExitCode } from './errors.ts';

/** The input of a command. */
export interface Input extends Options {
  args: string[];
}

/** The options that were given to a command, by name. */
export interface Options {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
}

export interface Option {
  text: string;
  /** The placeholder of the option's value in the usage. If it is undefined, the option is a switch. */
  value?: string;
  short?: string;
  required?: true;
  /** Whether the option may be given several times. */
  multiple?: true;
}

export type Run = (input: Input) => Promise<ExitCode> | Promise<void>;

export interface Command {
  name: string;
  summary: string;
  /** The positional arguments in the form that the usage shows: `<required> [optional] [more…]`. */
  arguments?: string;
  options?: Record<string, Option>;
  /** Example command lines without the program's name. A command line may end with a shell comment. */
  examples?: string[];
  /** Imports the code of the command. */
  load(): Promise<Run>;
}

/** Returns the value of an option. */
export function textOf({ values }: Options, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the values of the named options. Options that were not given are missing. */
export function pickTexts({ values }: Options, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((given): given is [string, string] => names.includes(given[0])));
}

export function hasOption({ values }: Options, name: string): boolean {
  return values[name] === true;
}

/** Returns the values of an option that may be given several times. */
export function textsOf({ values }: Options, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
