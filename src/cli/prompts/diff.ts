import { createTwoFilesPatch } from 'diff';
import { latestLabel, productionLabel } from '../../contract/label-names.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { showPath } from '../files/folder.ts';
import { formatPromptFile } from '../files/prompt-file.ts';
import { paint, print, printJson } from '../terminal.ts';
import { parseLabel, parseVersion } from './choice.ts';
import { type ComparedPrompt, compare } from './sync.ts';

/** Compares the file and the service, or two versions on the service. */
export async function diff(input: Input): Promise<ExitCode> {
  const [from, to] = [textOf(input, 'from'), textOf(input, 'to')];
  return from === undefined && to === undefined ? diffFiles(input) : diffVersions(input, { from, to });
}

/** Compares two versions, labels or candidates of a prompt on the service. */
async function diffVersions(
  input: Input,
  { from = productionLabel, to = latestLabel }: Record<'from' | 'to', string | undefined>,
): Promise<ExitCode> {
  const [name, ...others] = input.args;
  if (name === undefined || others.length > 0) throw new UsageError('Specify one prompt to compare its versions with --from and --to.');
  const ph = await connect(input);
  const found = await ph.versions.diff(name, { from: toSide(from), to: toSide(to) });
  if (hasOption(input, 'json')) printJson(found);
  else for (const patch of [found.text, found.config]) if (patch !== '') print(colorPatch(patch));
  return found.text === '' && found.config === '' ? exitCodes.ok : exitCodes.failed;
}

/** Returns the number of a version, the name of a label, or the id of a candidate. */
function toSide(text: string): number | string {
  return /^\d/.test(text) ? parseVersion(text) : text.startsWith('cand_') ? text : parseLabel(text);
}

/** Compares files with the service. Both sides are formatted as new files, so that comments and style make no difference. */
async function diffFiles(input: Input): Promise<ExitCode> {
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
