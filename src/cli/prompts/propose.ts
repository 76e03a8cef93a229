import type { PromptHarbor } from '../../../client/src/client.ts';
import { ApiError } from '../../../client/src/errors.ts';
import { maxCandidateTitleLength, maxProposalChanges } from '../../contract/limits.ts';
import type { NewChange, NewProposal, Proposal } from '../../contract/proposals.ts';
import { FileProblem } from '../../formats/file-problem.ts';
import { hasOption, type Input, textOf, textsOf } from '../command.ts';
import { connect, getWorkspace } from '../connection.ts';
import { CliError, exitCodes, UsageError } from '../errors.ts';
import { findText } from '../files/text-file.ts';
import { note, print, printJson } from '../terminal.ts';
import { labelOf, parseVersion } from './choice.ts';

/** A proposal with the address of its page in the dashboard. */
export type LinkedProposal = Proposal & { url: string };

/** Opens a proposal and prints its address. */
export async function propose(input: Input): Promise<void> {
  const [name = '', wanted] = input.args;
  const label = labelOf(input);
  const file = textOf(input, 'file');
  const candidate = textOf(input, 'candidate');
  if ([wanted, file, candidate].filter((given) => given !== undefined).length > 1) {
    throw new UsageError('Use only one of a version, --file and --candidate.');
  }
  const message = textOf(input, 'message');
  const applyAt = textOf(input, 'at');
  const reviewers = textsOf(input, 'reviewer');
  const content = file === undefined ? undefined : await readContentOf(file, name);
  const ph = await connect(input);
  const change = { prompt: name, label };
  const options = {
    ...(message !== undefined && { message }),
    ...(applyAt !== undefined && { applyAt }),
    ...(reviewers.length > 0 && { reviewers }),
  };
  const proposal = content
    ? await proposeContent(ph, change, { content, options })
    : await ph.proposals.open({
        changes: [
          candidate === undefined ? { ...change, version: await findVersion(ph, name, wanted ?? 'latest') } : { ...change, candidate },
        ],
        ...options,
      });
  const linked = await withUrl(ph, input, proposal);
  if (hasOption(input, 'json')) return printJson(linked);
  print(linked.url);
  note(`${name}: the proposal to move ${label} is open. Nothing is live yet.`);
}

/** Returns the number of a version that the user named by its number or by a label. */
export async function findVersion(ph: PromptHarbor, name: string, wanted: string): Promise<number> {
  return /^[1-9]/.test(wanted) ? parseVersion(wanted) : (await ph.prompts.get(name, { label: wanted })).version;
}

/** Returns whether a label was not moved because its moves require proposals. */
export function isApprovalRequired(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'approval_required';
}

/**
 * Proposes moves that were refused. If a proposal for the same moves is still open, it is used again, so that a CI job that runs twice
 * opens only one proposal.
 */
export async function proposeMoves(ph: PromptHarbor, input: Input, moves: Required<Pick<NewChange, 'prompt' | 'label' | 'version'>>[]) {
  const proposals: LinkedProposal[] = [];
  for (let start = 0; start < moves.length; start += maxProposalChanges) {
    const changes = moves.slice(start, start + maxProposalChanges);
    const proposal = (await findOpen(ph, changes)) ?? (await ph.proposals.open({ changes }));
    proposals.push(await withUrl(ph, input, proposal));
  }
  return proposals;
}

/** Says that the labels were not moved, and where to review the proposals. */
export function noteProposals(proposals: LinkedProposal[]): void {
  for (const { changes, state, url } of proposals) {
    const labels = [...new Set(changes.map(({ label }) => label))].join(', ');
    const text = `Nothing is live yet, because moving ${labels} requires a proposal.`;
    note(state === 'approved' ? `${text} The proposal is approved. Apply it: ${url}` : `${text} Review the proposal: ${url}`);
  }
}

/** Adds the address of the proposal's page in the dashboard. */
export async function withUrl(ph: PromptHarbor, input: Input, proposal: Proposal): Promise<LinkedProposal> {
  const { id } = await getWorkspace(ph, input);
  return { ...proposal, url: `${ph.baseUrl}/dashboard/proposals/${proposal.id}?workspace=${encodeURIComponent(id)}` };
}

async function findOpen(
  ph: PromptHarbor,
  changes: Required<Pick<NewChange, 'prompt' | 'label' | 'version'>>[],
): Promise<Proposal | undefined> {
  const keysOf = (moves: { name: string; label: string; version?: number | undefined }[]) =>
    JSON.stringify(moves.map(({ name, label, version }) => [name.normalize('NFC'), label, version]).sort());
  const wanted = keysOf(changes.map(({ prompt: name, ...move }) => ({ name, ...move })));
  for await (const proposal of ph.proposals.list({ state: 'open', prompt: changes[0]?.prompt ?? '' })) {
    if (keysOf(proposal.changes.map(({ prompt: { name }, label, version }) => ({ name, label, version }))) === wanted) return proposal;
  }
  return undefined;
}

type Content = Awaited<ReturnType<typeof readContentOf>>;

/** Saves content as a candidate and proposes it. Without the proposal, nobody would look for the candidate. */
async function proposeContent(
  ph: PromptHarbor,
  change: { prompt: string; label: string },
  { content, options }: { content: Content; options: Omit<NewProposal, 'changes'> },
): Promise<Proposal> {
  const [line = ''] = (options.message ?? '').trim().split(/\r?\n/);
  const title = [...(line || `Change for ${change.label}`)].slice(0, maxCandidateTitleLength).join('');
  const { id } = await ph.candidates.create(change.prompt, { title, ...content });
  try {
    return await ph.proposals.open({ changes: [{ ...change, candidate: id }], ...options });
  } catch (err) {
    await ph.candidates.delete(change.prompt, { id });
    throw err;
  }
}

/** Reads the content of a prompt file. Its description and tags belong to the prompt, and are not part of the candidate. */
async function readContentOf(file: string, name: string) {
  const text = await findText(file);
  if (text === undefined) throw new CliError(`There is no file ${file}.`, exitCodes.notFound);
  const { parsePromptFile } = await import('../files/prompt-file.ts');
  try {
    const parsed = parsePromptFile(text);
    if (parsed.name !== undefined && parsed.name !== name.normalize('NFC')) {
      throw new UsageError(`${file} contains the prompt "${parsed.name}", not "${name}".`);
    }
    const { description: _, tags: __, ...content } = parsed.content;
    return content;
  } catch (err) {
    if (err instanceof FileProblem) throw new CliError(`${file}: ${err.message}`);
    throw err;
  }
}
