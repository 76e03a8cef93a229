import type { Command, Run } from '../command.ts';
import { UsageError } from '../errors.ts';
import { write } from '../terminal.ts';
import { formatBash } from './bash.ts';
import { formatFish } from './fish.ts';
import { formatZsh } from './zsh.ts';

/**
 * Prints scripts that contain all commands and options, so that the shell can complete them without starting this program. For prompts and
 * labels, the scripts call this program: `completion prompts support/`.
 */
export function createCompletion(commands: Command[]): Run {
  const formats: Record<string, (commands: Command[]) => string> = { bash: formatBash, zsh: formatZsh, fish: formatFish };
  return async (input) => {
    const [shell = '', start = ''] = input.args;
    if (shell === 'prompts' || shell === 'labels') {
      const { findNames } = await import('./names.ts');
      const names = await findNames(shell, start, input);
      write(process.stdout, names.map((name) => `${name}\n`).join(''));
      return;
    }
    const format = Object.hasOwn(formats, shell) ? formats[shell] : undefined;
    if (!format) throw new UsageError(`Completion is not available for "${shell}".`);
    write(process.stdout, format(commands));
  };
}
