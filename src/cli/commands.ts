import type { Command } from './command.ts';
import { exportCommand } from './export/command.ts';
import { importCommands } from './import/command.ts';
import { fileImportCommands } from './import/file-commands.ts';
import { operatorCommands } from './operator-commands.ts';
import { promptCommands } from './prompt-commands.ts';

const completion: Command = {
  name: 'completion',
  kind: 'client',
  summary: 'Print a script that completes commands and options in a shell',
  arguments: '<bash|zsh|fish>',
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/promptharbor', ''],
    ['completion zsh > ~/.zfunc/_promptharbor', 'with ~/.zfunc in $fpath'],
    ['completion fish > ~/.config/fish/completions/promptharbor.fish', ''],
  ],
  load: async () => (await import('./completion.ts')).createCompletion(commands),
};

/** All commands, in the order of the usage. What they need is loaded when they run. */
export const commands: Command[] = [
  ...promptCommands,
  exportCommand,
  ...importCommands,
  ...fileImportCommands,
  completion,
  ...operatorCommands,
];
