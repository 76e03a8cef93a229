import type { DiscussionComment } from '../../contract/comments.ts';
import type { Proposal, ProposedChange } from '../../contract/proposals.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { count, formatTable, note, print, printJson, shorten, toLine } from '../terminal.ts';
import { withUrl } from './propose.ts';

const maxMessageLength = 60;

export async function list(input: Input): Promise<void> {
  const prompt = textOf(input, 'prompt');
  const query = {
    ...(prompt !== undefined && { prompt }),
    ...(hasOption(input, 'waiting')
      ? { waiting: 'true' as const }
      : { state: hasOption(input, 'ended') ? ('ended' as const) : ('open' as const) }),
  };
  const ph = await connect(input);
  const proposals: Proposal[] = await Array.fromAsync(ph.proposals.list(query));
  if (hasOption(input, 'json')) return printJson(proposals);
  if (proposals.length === 0) return note('No proposals found.');
  const rows = proposals.map(({ id, state, openedBy, changes, message }) => [
    ...[id, state, openedBy.name, changes.length === 1 && changes[0] ? describeChange(changes[0]) : count(changes.length, 'change')],
    shorten(message, maxMessageLength),
  ]);
  print(formatTable([['ID', 'STATE', 'OPENED BY', 'CHANGE', 'MESSAGE'], ...rows]));
}

export async function show(input: Input): Promise<void> {
  const [id = ''] = input.args;
  const ph = await connect(input);
  const proposal = await withUrl(ph, input, await ph.proposals.get({ id }));
  const comments: DiscussionComment[] = await Array.fromAsync(ph.comments.list({ proposal: id }));
  if (hasOption(input, 'json')) return printJson({ ...proposal, comments });
  print(formatProposal(proposal, comments));
  print(proposal.url);
}

export async function comment(input: Input): Promise<void> {
  const [id = '', text = ''] = input.args;
  const ph = await connect(input);
  const added = await ph.comments.add({ proposal: id, text });
  if (hasOption(input, 'json')) return printJson(added);
  note('The comment was added.');
}

/** Applies a proposal in its current state. The service refuses a proposal that does not have all approvals. */
export async function apply(input: Input): Promise<void> {
  const [id = ''] = input.args;
  const ph = await connect(input);
  const { revision } = await ph.proposals.get({ id });
  const proposal = await ph.proposals.apply({ id, revision });
  if (hasOption(input, 'json')) return printJson(proposal);
  for (const { prompt, label, version, release } of proposal.result ?? []) {
    note(toLine(`${prompt}: ${release === undefined ? `${label} is now version ${version}.` : `the release on ${label} has started.`}`));
  }
}

export async function withdraw(input: Input): Promise<void> {
  const [id = ''] = input.args;
  const ph = await connect(input);
  const proposal = await ph.proposals.withdraw({ id });
  if (hasOption(input, 'json')) return printJson(proposal);
  note('The proposal was withdrawn.');
}

function formatProposal(
  { id, state, message, openedAt, openedBy, endedAt, applyAt, problem, changes, reviews }: Proposal,
  comments: DiscussionComment[],
): string {
  const lines = [
    `${id} is ${state}. Opened at ${openedAt} by ${openedBy.name}.`,
    ...(applyAt === null ? [] : [`To be applied at ${applyAt}.`]),
    ...(problem === null ? [] : [`Not applied at its scheduled time: ${problem}`]),
    ...(message === '' ? [] : [message]),
  ].map(toLine);
  const changed = changes.map((change) => {
    const { required, given } = change.approvals;
    return [describeChange(change), ...(endedAt === null ? [`${given} of ${count(required, 'approval')}`] : [])];
  });
  const said = reviews.map(({ at, by, verdict, text, current }) => [at, by.name, current ? verdict : `${verdict} (outdated)`, text]);
  const discussed = comments.map((comment) => [comment.at, comment.by.name, describeComment(comment), comment.text]);
  return [lines.join('\n'), formatTable(changed), ...[said, discussed].filter((rows) => rows.length > 0).map(formatTable)].join('\n\n');
}

function describeComment({ id, thread, prompt, version, anchor, resolved, deletedAt }: DiscussionComment): string {
  if (deletedAt !== null) return 'deleted';
  if (id !== thread) return 'reply';
  const place = prompt && `${prompt.name} ${version === null ? 'candidate' : `version ${version}`}${anchor ? `, line ${anchor.line}` : ''}`;
  return `comment${place ? ` on ${place}` : ''}${resolved ? ' (resolved)' : ''}`;
}

function describeChange({ prompt, label, from, version, candidate, release }: ProposedChange): string {
  const content = candidate ? `the candidate "${candidate.title}"` : 'a deleted candidate or version';
  const target = version !== undefined ? `version ${version}` : release ? 'a release' : content;
  return `${prompt.name}: ${label}${from === null ? '' : ` from version ${from}`} to ${target}`;
}
