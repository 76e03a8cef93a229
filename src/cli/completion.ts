import type { Command, Run } from './command.ts';
import { UsageError } from './errors.ts';
import { write } from './terminal.ts';

/** Scripts that know commands and options. They ask no service, so they are as fast as the shell. */
export function createCompletion(commands: Command[]): Run {
  return async ({ args: [shell = ''] }) => {
    const format = Object.hasOwn(formats, shell) ? formats[shell] : undefined;
    if (!format) throw new UsageError(`There is no completion for "${shell}".`);
    write(process.stdout, format(commands));
  };
}

const formats: Record<string, (commands: Command[]) => string> = { bash: formatBash, zsh: formatZsh, fish: formatFish };

function formatBash(commands: Command[]): string {
  const { firstWords, secondWords } = wordsOf(commands);
  const cases = commands.map((command) => `    "${command.name}"*) words="${optionsOf(command).join(' ')}" ;;`);
  const groups = firstWords.flatMap((word) => {
    const second = secondWords(word);
    return second.length > 0 ? [`    "${word}") words="${second.join(' ')}" ;;`] : [];
  });
  return `# bash completion of promptharbor
_promptharbor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$line" in
    "") words="${firstWords.join(' ')}" ;;
${[...groups, ...cases].join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 && "$current" != -* ]]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _promptharbor promptharbor
`;
}

function formatZsh(commands: Command[]): string {
  const { firstWords, secondWords } = wordsOf(commands);
  const rows = commands.filter(({ name }) => !name.includes(' ')).map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  const groups = firstWords.filter((word) => secondWords(word).length > 0);
  const cases = commands.map((command) => `    '${command.name}'*) compadd -- ${optionsOf(command).join(' ')}; _files ;;`);
  return `#compdef promptharbor
_promptharbor() {
  local -a commands
  commands=(
${[...rows, ...groups.map((word) => `    '${word}:${secondWords(word).join(', ')}'`)].join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "\${words[2,CURRENT-1]}" in
${groups.map((word) => `    '${word}') compadd -- ${secondWords(word).join(' ')} ;;`).join('\n')}
${cases.join('\n')}
  esac
}
_promptharbor "$@"
`;
}

function formatFish(commands: Command[]): string {
  const { firstWords, secondWords } = wordsOf(commands);
  const lines = commands.flatMap((command) => {
    const words = command.name.split(' ');
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const place = words.length === 1 ? '__fish_use_subcommand' : `'${seen[0]}'`;
    const name = `complete -c promptharbor -n ${place} -f -a ${words.at(-1)} -d '${quote(command.summary)}'`;
    const options = Object.entries(command.options ?? {}).map(
      ([option, { text, short, value }]) =>
        `complete -c promptharbor -n '${seen.join('; and ')}' -l ${option}${short ? ` -s ${short}` : ''}${value === undefined ? '' : ' -r'} -d '${quote(text)}'`,
    );
    return [name, ...options];
  });
  const groups = firstWords
    .filter((word) => secondWords(word).length > 0)
    .map((word) => `complete -c promptharbor -n __fish_use_subcommand -f -a ${word}`);
  return `# fish completion of promptharbor\n${[...groups, ...lines].join('\n')}\n`;
}

/** The first words of all commands, and those that may follow one. */
function wordsOf(commands: Command[]): { firstWords: string[]; secondWords(first: string): string[] } {
  return {
    firstWords: [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))],
    secondWords: (first) => commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [])),
  };
}

function optionsOf({ options = {} }: Command): string[] {
  return [...Object.keys(options), 'help'].map((option) => `--${option}`);
}

/** Within single quotes, of which these texts have none; without what they would be read as. */
function quote(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ' -');
}
