import type { Command } from '../command.ts';
import { completedOptions, quote, takesPrompts, wordsOf } from './words.ts';

export function formatFish(commands: Command[]): string {
  const { firstWords, secondWords } = wordsOf(commands);
  const lines = commands.flatMap((command) => {
    const words = command.name.split(' ');
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const place = words.length === 1 ? '__fish_use_subcommand' : `'${seen[0]}'`;
    const name = `complete -c promptharbor -n ${place} -f -a ${words.at(-1)} -d '${quote(command.summary)}'`;
    const options = Object.entries(command.options ?? {}).map(
      ([option, { text, short, value }]) =>
        `complete -c promptharbor -n '${seen.join('; and ')}' -l ${option}${short ? ` -s ${short}` : ''}${describeValue(option, value)} -d '${quote(text)}'`,
    );
    const files = command.arguments?.includes('file') ? '' : ' -f';
    const prompts = takesPrompts(command) ? [`complete -c promptharbor -n '${seen.join('; and ')}'${files} -a ${askFor('prompts')}`] : [];
    return [name, ...options, ...prompts];
  });
  const groups = firstWords
    .filter((word) => secondWords(word).length > 0)
    .map((word) => `complete -c promptharbor -n __fish_use_subcommand -f -a ${word}`);
  return `# fish completion of promptharbor\n${[...groups, ...lines].join('\n')}\n`;
}

/** Returns what fish completes after an option with a value: the known values if there are any, and otherwise files. */
function describeValue(option: string, value: string | undefined): string {
  if (value === undefined) return '';
  const wanted = Object.entries(completedOptions).find(([names]) => names.split('|').includes(`--${option}`))?.[1];
  return wanted === undefined ? ' -r' : ` -x -a ${askFor(wanted)}`;
}

function askFor(wanted: string): string {
  return `'(promptharbor completion ${wanted} (commandline -ct | string unescape) 2>/dev/null </dev/null)'`;
}
