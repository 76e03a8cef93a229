import { createTwoFilesPatch } from 'diff';
import { hasOption, type Input } from '../command.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { showPath } from '../files/folder.ts';
import { formatPromptFile } from '../files/prompt-file.ts';
import { paint, print, printJson } from '../terminal.ts';
import { type ComparedPrompt, compare } from './sync.ts';

/** Compares the file and the service. Both are formatted as new files, so that comments and style make no difference. */
export async function diff(input: Input): Promise<ExitCode> {
  const { items, project } = await compare(input);
  const different = items.filter(({ difference }) => difference !== 'same');
  const patches = different.map((item) => ({ name: item.name, difference: item.difference, patch: createPatch(item, project.folder) }));
  if (hasOption(input, 'json')) printJson({ prompts: patches });
  else for (const { patch } of patches) print(colorPatch(patch));
  return different.length > 0 ? exitCodes.failed : exitCodes.ok;
}

const maxEditLength = 10_000;

function createPatch({ name, here, there }: ComparedPrompt, folder: string): string {
  const before = { title: there ? name : '/dev/null', text: there ? formatPromptFile(name, there.content) : '' };
  const after = { title: here ? showPath(folder, here.path) : '/dev/null', text: here ? formatPromptFile(name, here.content) : '' };
  const version = there && `version ${there.version}`;
  const patch = createTwoFilesPatch(before.title, after.title, before.text, after.text, version, undefined, { maxEditLength });
  return patch ?? `--- ${before.title}\n+++ ${after.title}\nThe differences are too large to show.`;
}

function colorPatch(patch: string): string {
  return patch
    .replace(/^=+\n/, '')
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('---') || line.startsWith('+++')) return paint('bold', line);
      if (line.startsWith('+')) return paint('green', line);
      if (line.startsWith('-')) return paint('red', line);
      return line.startsWith('@@') ? paint('cyan', line) : line;
    })
    .join('\n');
}
