import { resolve } from 'node:path';
import { fetchSnapshot, type Selection, type Sender } from '../../../client/src/load/snapshot.ts';
import { formatState } from '../../../client/src/load/state-file.ts';
import { createEngines } from '../../../client/src/render/engines.ts';
import { tryTo } from '../../platform/try-to.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect, findWorkspaceId } from '../connection.ts';
import { CliError, type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { findText, writeFileWhole } from '../files/text-file.ts';
import { count, note, printJson } from '../terminal.ts';
import { labelOf } from './choice.ts';

const excluded = ['dry-run', 'prune', 'ours', 'theirs'];

/** Writes the file with which applications start while the service is unavailable. */
export async function pullState(input: Input, output: string): Promise<ExitCode> {
  const conflict = excluded.find((name) => input.values[name] !== undefined);
  if (conflict !== undefined) throw new UsageError(`Use either --state or --${conflict}, not both.`);
  if (input.args.length > 0) throw new UsageError('With --state, use --folder to select prompts.');
  const ph = await connect(input);
  const selection = { label: labelOf(input), folder: textOf(input, 'folder') };
  const source = { ...selection, baseUrl: ph.baseUrl, workspace: findWorkspaceId(input) };
  const sender: Sender = {
    send: (request, options) => ph.request(request, options),
    sendConditional: async (request, _etag, options) => ({ isUnchanged: false, body: await ph.request(request, options), etag: undefined }),
  };
  // An error ends the command: without the template engine, the file would lack included prompts.
  const engines = createEngines([], (err) => {
    throw err;
  });
  const snapshot = await fetchSnapshot(sender, selection, { previous: undefined, engines, options: {} });
  if (!snapshot) throw new Error('The first fetch always returns a snapshot');

  // An application that starts from an empty file has no prompts, so an empty file must not replace a good one.
  if (snapshot.prompts.size === 0) throw new CliError(`There are no prompts ${describe(selection)}, so ${output} was not written.`);
  const file = resolve(output);
  const current = await findText(file);
  const isStale = current === undefined || current !== formatState(source, snapshot, savedAtOf(current));
  const isChecked = hasOption(input, 'check');
  if (!isChecked) await writeFileWhole(file, formatState(source, snapshot, new Date()));
  const { size } = snapshot.prompts;
  if (hasOption(input, 'json')) printJson({ file: output, prompts: size, stale: isStale && isChecked, written: !isChecked });
  else if (!isChecked) note(`${output} has ${count(size, 'prompt')} at the label "${selection.label}".`);
  else note(isStale ? `${output} is out of date. Run the command without --check.` : `${output} is up to date.`);
  return isStale && isChecked ? exitCodes.failed : exitCodes.ok;
}

function describe({ label, folder }: Selection): string {
  return `at the label "${label}"${folder === undefined ? '' : ` in the folder "${folder}"`}`;
}

/** Returns the time in a state file. A new file is formatted with this time before it is compared with the old one. */
function savedAtOf(text: string): Date {
  const { savedAt } = tryTo((): { savedAt?: unknown } => JSON.parse(text) ?? {}) ?? {};
  const date = new Date(typeof savedAt === 'string' ? savedAt : 0);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
