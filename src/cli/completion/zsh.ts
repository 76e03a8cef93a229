import type { Command } from '../command.ts';
import { completedOptions, optionsOf, quote, takesPrompts, wordsOf } from './words.ts';

export function formatZsh(commands: Command[]): string {
  const { firstWords, secondWords } = wordsOf(commands);
  const rows = commands.filter(({ name }) => !name.includes(' ')).map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  const groups = firstWords.filter((word) => secondWords(word).length > 0);
  const cases = commands.map(
    (command) => `    '${command.name}'*) options=(${optionsOf(command).join(' ')})${takesPrompts(command) ? ' wanted=prompts' : ''} ;;`,
  );
  const values = Object.entries(completedOptions).map(([options, wanted]) => `    ${options}) wanted=${wanted} ;;`);
  return `#compdef promptharbor
_promptharbor() {
  local -a commands options names
  local wanted
  commands=(
${[...rows, ...groups.map((word) => `    '${word}:${secondWords(word).join(', ')}'`)].join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "\${words[2,CURRENT-1]}" in
${groups.map((word) => `    '${word}') compadd -- ${secondWords(word).join(' ')}; return ;;`).join('\n')}
${cases.join('\n')}
  esac
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then compadd -- $options; return; fi
  if [[ -n "$wanted" ]]; then
    names=(\${(f)"$(promptharbor completion $wanted "\${(Q)PREFIX}" 2>/dev/null </dev/null)"})
    compadd -- $names && return
  else
    compadd -- $options
  fi
  _files
}
_promptharbor "$@"
`;
}
