import type { ImportedPrompt } from '../../../client/src/types.ts';
import { hasOption, type Input } from '../command.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { count, note, printJson, printMarked } from '../terminal.ts';

const marks = { created: ['green', '+'], completed: ['cyan', '~'], replaced: ['cyan', '~'], conflict: ['red', '!'] } as const;

/** Prints the result for each prompt, and lists the parts that could not be converted. */
export function reportImport(
  input: Input,
  prompts: ImportedPrompt[],
  { isTrial, losses = [] }: { isTrial: boolean; losses?: string[] },
): ExitCode {
  const number = (status: ImportedPrompt['status']) => prompts.filter((prompt) => prompt.status === status).length;
  const counts = {
    created: number('created'),
    completed: number('completed'),
    replaced: number('replaced'),
    unchanged: number('unchanged'),
    conflicts: number('conflict'),
  };
  if (hasOption(input, 'json')) printJson({ ...counts, prompts, losses });
  else {
    for (const { name, status, reason } of prompts) {
      if (status !== 'unchanged') printMarked(marks[status], name, reason);
    }
    for (const loss of losses) printMarked(['yellow', '?'], loss);
    const would = isTrial ? 'would be ' : '';
    note(
      `${count(counts.created, 'prompt')} ${would}created, ${counts.completed} ${would}updated, ` +
        `${counts.replaced > 0 ? `${counts.replaced} ${would}replaced, ` : ''}${counts.unchanged} unchanged, ` +
        `${count(counts.conflicts, 'conflict')}.`,
    );
  }
  return counts.conflicts > 0 ? exitCodes.failed : exitCodes.ok;
}
