import type { Command } from '../command.ts';

/** Options whose values are completed, as case patterns of shells, with what their values are. */
export const completedOptions = { '--label|-l': 'labels', '--ours|--theirs': 'prompts' } as const;

/** The first words of all commands, and those that may follow one. */
export function wordsOf(commands: Command[]): { firstWords: string[]; secondWords(first: string): string[] } {
  return {
    firstWords: [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))],
    secondWords: (first) => commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [])),
  };
}

export function optionsOf({ options = {} }: Command): string[] {
  return [...Object.keys(options), 'help'].map((option) => `--${option}`);
}

/** Whether the arguments of a command are prompts. */
export function takesPrompts({ arguments: positional = '' }: Command): boolean {
  return /^[<[]name\b/.test(positional);
}

/** Within single quotes, of which these texts have none; without what they would be read as. */
export function quote(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ' -');
}
