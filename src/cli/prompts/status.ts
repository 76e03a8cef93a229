import { hasOption, type Input } from '../command.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { count, formatTable, note, paint, print, printJson } from '../terminal.ts';
import { type ComparedPrompt, compare, describeConflict } from './sync.ts';

export async function status(input: Input): Promise<ExitCode> {
  const { items } = await compare(input);
  const different = items.filter(({ difference }) => difference !== 'same');
  if (hasOption(input, 'json')) {
    printJson({
      same: items.length - different.length,
      prompts: different.map(({ name, difference, there }) => ({ name, difference, version: there?.version ?? null })),
    });
  } else if (different.length === 0) {
    note(`There are no differences between the files and the service (${count(items.length, 'prompt')}).`);
  } else {
    const rows = different.map((item) => [item.difference, item.name, item.difference === 'conflict' ? describeConflict(item) : '']);
    const lines = formatTable(rows).split('\n');
    for (const [index, line] of lines.entries()) print(paint(different[index]?.difference === 'conflict' ? 'red' : 'cyan', line));
    note(hint(different));
  }
  return hasOption(input, 'check') && different.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function hint(different: ComparedPrompt[]): string {
  const has = (...differences: ComparedPrompt['difference'][]) => different.some(({ difference }) => differences.includes(difference));
  if (has('conflict')) return 'To resolve conflicts, see "promptharbor diff", then pull or push with --ours or --theirs.';
  return [
    ...(has('added there', 'changed there') ? ['"promptharbor pull" gets the changes from the service'] : []),
    ...(has('deleted there') ? ['"promptharbor pull --prune" deletes the files of deleted prompts'] : []),
    ...(has('added here', 'changed here') ? ['"promptharbor push" saves the local changes'] : []),
    ...(has('deleted here')
      ? ['"promptharbor push --prune" deletes the prompts of deleted files', '"promptharbor pull --theirs <name>" restores a file']
      : []),
  ]
    .map((text) => `${text}.`)
    .join('\n');
}
