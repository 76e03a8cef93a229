import { resolve } from 'node:path';
import { generateTypes } from '../../../client/src/generate-types.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import type { Version } from '../../contract/versions.ts';
import { hasOption, type Input, pickTexts, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { findText, writeFileWhole } from '../files/text-file.ts';
import { count, note, paint, print, printJson } from '../terminal.ts';
import { labelOf } from './choice.ts';
import { generatePythonTypes } from './python-types.ts';

export async function types(input: Input): Promise<ExitCode> {
  const isPython = hasOption(input, 'python');
  const output = textOf(input, 'output') ?? (isPython ? 'prompt_types.py' : 'promptharbor.d.ts');
  const file = resolve(output);
  const versions = await readVersions(input);
  const text = isPython ? generatePythonTypes(versions) : generateTypes(versions);
  const current = await findText(file);
  const isStale = current !== text;
  const isChecked = hasOption(input, 'check');
  if (isStale && !isChecked) await writeFileWhole(file, text);
  if (hasOption(input, 'json'))
    printJson({ file: output, prompts: versions.length, stale: isStale && isChecked, written: isStale && !isChecked });
  else if (isStale && isChecked) {
    printChanges(current ?? '', text);
    note(
      `${output} is out of date. Run "promptharbor types${isPython ? ' --python' : ''} -o ${output}", and check that your program passes the new variables.`,
    );
  } else note(`${output} ${isStale ? 'has' : 'already has'} ${count(versions.length, 'prompt')}.`);
  return isStale && isChecked ? exitCodes.failed : exitCodes.ok;
}

/** Reads the versions that programs receive. */
async function readVersions(input: Input): Promise<Version[]> {
  const ph = await connect(input);
  const query = { ...pickTexts(input, ['folder']), label: labelOf(input), include: 'content', limit: maxPageLimit } as const;
  const prompts = await Array.fromAsync(ph.prompts.list(query));
  return prompts.flatMap(({ version }) => version ?? []);
}

/** Prints the changes. Each prompt has its own line. */
function printChanges(before: string, after: string): void {
  const [removed, added] = [before.split('\n'), after.split('\n')];
  for (const line of removed) if (!added.includes(line)) print(paint('red', `-${line}`));
  for (const line of added) if (!removed.includes(line)) print(paint('green', `+${line}`));
}
