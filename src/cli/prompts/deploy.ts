import type { PromptHarbor } from '../../../client/src/client.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { CliError, type ExitCode, exitCodes } from '../errors.ts';
import { note, printJson } from '../terminal.ts';
import { labelOf, parseVersion } from './choice.ts';
import { findVersion, isApprovalRequired, noteProposals, proposeMoves } from './propose.ts';
import { noteWarnings } from './warnings.ts';

/** Deploys a version. The user names it by its number or by a label that points at it. */
export async function deploy(input: Input): Promise<ExitCode> {
  const [name = '', wanted = ''] = input.args;
  const label = labelOf(input);
  const ph = await connect(input);
  const version = await findVersion(ph, name, wanted);
  return move(ph, input, { name, label, version });
}

export async function rollback(input: Input): Promise<ExitCode> {
  const [name = ''] = input.args;
  const label = labelOf(input);
  const to = textOf(input, 'to');
  const ph = await connect(input);
  const version = to === undefined ? await findPrevious(ph, name, label) : parseVersion(to);
  return move(ph, input, { name, label, version });
}

/** Moves a label, or proposes the move if a proposal is required. After a proposal, the exit code says that the version is not live yet. */
async function move(
  ph: PromptHarbor,
  input: Input,
  { name, label, version }: { name: string; label: string; version: number },
): Promise<ExitCode> {
  const override = textOf(input, 'override');
  const target = { label, version, ...(override !== undefined && { override }) };
  try {
    const { warnings } = await ph.labels.move(name, target, { strict: hasOption(input, 'strict') });
    if (hasOption(input, 'json')) printJson({ name, label, version, warnings });
    else {
      note(`${name}: ${label} is now version ${version}.`);
      noteWarnings(name, warnings);
    }
    return exitCodes.ok;
  } catch (err) {
    if (!isApprovalRequired(err)) throw err;
    const proposals = await proposeMoves(ph, input, [{ prompt: name, label, version }]);
    if (hasOption(input, 'json')) printJson({ name, label, version, proposal: proposals[0] });
    else noteProposals(proposals);
    return exitCodes.refused;
  }
}

/** Finds the version at which the label pointed before its last move. */
async function findPrevious(ph: PromptHarbor, name: string, label: string): Promise<number> {
  for await (const entry of ph.prompts.history(name)) {
    if (entry.type !== 'label_moved' || entry.label !== label) continue;
    if (typeof entry.from === 'number') return entry.from;
    break;
  }
  throw new CliError(
    `${name}: the label "${label}" has never pointed at another version. Specify a version with --to.`,
    exitCodes.notFound,
  );
}
