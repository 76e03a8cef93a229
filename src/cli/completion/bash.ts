import type { Command } from '../command.ts';
import { completedOptions, optionsOf, takesPrompts, wordsOf } from './words.ts';

export function formatBash(commands: Command[]): string {
  const { firstWords, secondWords } = wordsOf(commands);
  const groups = firstWords.flatMap((word) => {
    const second = secondWords(word);
    return second.length > 0 ? [`    "${word}") words="${second.join(' ')}" ;;`] : [];
  });
  const cases = commands.map(
    (command) => `    "${command.name}"*) words="${optionsOf(command).join(' ')}"${takesPrompts(command) ? ' wanted=prompts' : ''} ;;`,
  );
  const values = Object.entries(completedOptions).map(([options, wanted]) => `    ${options}) wanted=${wanted} ;;`);
  // Prompt names are quoted for the command line, and are never part of the text that `compgen -W` expands.
  return `# bash completion of promptharbor
_promptharbor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" wanted="" name line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$line" in
    "") words="${firstWords.join(' ')}" ;;
${[...groups, ...cases].join('\n')}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=()
  if [[ -n "$wanted" && "$current" != -* ]]; then
    while IFS= read -r name; do COMPREPLY+=("$(printf %q "$name")"); done < <(promptharbor completion "$wanted" "$current" 2>/dev/null </dev/null)
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
  if [[ \${#COMPREPLY[@]} -eq 0 && "$current" != -* ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _promptharbor promptharbor
`;
}
