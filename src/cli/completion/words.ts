import type { Command } from '../command.ts';

/** The options whose values are completed, with the kinds of their values. The keys are patterns for `case` in shells. */
export const completedOptions = { '--label|-l': 'labels', '--ours|--theirs': 'prompts' } as const;

/** Returns the first words of all commands, and the second words that may follow each of them. */
export function wordsOf(commands: Command[]): { firstWords: string[]; secondWords(first: string): string[] } {
  return {
    firstWords: [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))],
    secondWords: (first) => commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [])),
  };
}

export function optionsOf({ options = {} }: Command): string[] {
  return [...Object.keys(options), 'help'].map((option) => `--${option}`);
}

/** Returns whether the arguments of a command are names of prompts. */
export function takesPrompts({ arguments: positional = '' }: Command): boolean {
  return /^[<[]name\b/.test(positional);
}

/** Makes text safe between single quotes in a script. Removes single quotes, and replaces colons, which some shells interpret. */
export function quote(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ' -');
}
