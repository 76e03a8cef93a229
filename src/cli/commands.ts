import { accountCommands } from './account-commands.ts';
import type { Command } from './command.ts';
import { operatorCommands } from './operator-commands.ts';
import { promptCommands } from './prompt-commands.ts';
import { proposalCommands } from './proposal-commands.ts';
import { releaseCommands } from './release-commands.ts';
import { transferCommands } from './transfer-commands.ts';

const completion: Command = {
  name: 'completion',
  summary: 'Print a shell script that completes commands, options, prompts and labels',
  arguments: '<bash|zsh|fish|prompts|labels> [start]',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/promptharbor',
    'completion zsh > ~/.zfunc/_promptharbor  # with ~/.zfunc in $fpath',
    'completion fish > ~/.config/fish/completions/promptharbor.fish',
    'completion prompts support/  # the names that the script shows; none if the service cannot be reached',
  ],
  load: async () => (await import('./completion/completion.ts')).createCompletion(commands),
};

/** Commands that send requests to a service over HTTP, and commands that need no service. */
export const clientCommands: Command[] = [
  ...accountCommands,
  ...promptCommands,
  ...proposalCommands,
  ...releaseCommands,
  ...transferCommands,
  completion,
];

/** All commands, in the order of the usage. Their code is imported when they run. */
export const commands: Command[] = [...clientCommands, ...operatorCommands];
