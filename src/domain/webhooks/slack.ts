import type { WorkspaceEvent } from '../../contract/events.ts';
import type { EventRecord } from '../../store/events/events.ts';
import { inWorkspace } from '../links.ts';

interface Place {
  workspace: { id: string; name: string };
  /** The origin of this service, for links. If it is undefined, the message has no links. */
  origin: string | undefined;
}

/** Slack's limit for one text. Text that people wrote is cut earlier, because nobody reads long text in a channel. */
const maxTextLength = 3000;
const maxSentenceLength = 600;
const maxNoteLength = 1000;

/**
 * Returns an event as a message for a Slack incoming webhook (Block Kit). Names and messages are escaped, so that they can neither mention
 * a channel nor contain a link.
 */
export function toSlackMessage(event: EventRecord, { workspace, origin }: Place) {
  // The detail was written by our own code.
  const fields = { ...event, ...(JSON.parse(event.detail) as object) } as unknown as WorkspaceEvent;
  const sentence = escapeText(describe(fields), maxSentenceLength);
  const note = escapeText(fields.message ?? fields.override ?? fields.comment?.text ?? '', maxNoteLength);
  const url = origin && findUrl(event, workspace.id, origin);
  const footer = [
    escapeText(workspace.name, maxSentenceLength),
    ...(url ? [`<${escapeText(url, maxTextLength)}|Open in PromptHarbor>`] : []),
  ];
  return {
    text: sentence,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: toText(sentence) },
      ...(note === '' ? [] : [{ type: 'section', text: toText(note) }]),
      { type: 'context', elements: [toText(footer.filter((part) => part !== '').join(' · '))] },
    ],
  };
}

/** With `verbatim`, Slack does not turn words into links or mentions. */
function toText(text: string) {
  // Slack refuses an empty text.
  return { type: 'mrkdwn', text: text === '' ? '–' : text, verbatim: true };
}

function describe(event: WorkspaceEvent): string {
  const { type, by, prompt, version, label, labels, from, to, member, cause, previousRole, candidate, proposal } = event;
  const who = by ? by.name : 'PromptHarbor';
  const name = prompt?.name ?? '';
  const texts: Record<WorkspaceEvent['type'], string> = {
    'prompt.created': `${who} created ${name}`,
    'prompt.changed': typeof from === 'string' && from !== name ? `${who} renamed ${from} to ${name}` : `${who} changed ${name}`,
    'prompt.deleted': `${who} moved ${name} to the bin`,
    'prompt.restored': `${who} restored ${name}`,
    'version.created': `${who} saved version ${version} of ${name}`,
    'version.deleted': `${who} deleted version ${version} of ${name}`,
    'candidate.created': `${who} created the candidate “${candidate?.title}” of ${name}`,
    'candidate.changed': `${who} changed the candidate “${candidate?.title}” of ${name}`,
    'candidate.deleted':
      version === undefined
        ? `${who} deleted the candidate “${candidate?.title}” of ${name}`
        : `${who} made version ${version} of ${name} from the candidate “${candidate?.title}”`,
    'label.moved': `${who} moved ${label} of ${name} ${from === null || from === undefined ? '' : `from version ${from} `}to version ${to}`,
    'label.removed': `${who} removed ${label} from ${name}`,
    'proposal.opened': `${who} proposed ${describeProposal(event)}`,
    'proposal.reviewed': `${who} approved the proposal ${describeProposal(event)}`,
    'proposal.applied': `${proposal?.automatic ? 'PromptHarbor' : who} applied the proposal ${describeProposal(event)}`,
    'proposal.declined': `${who} declined the proposal ${describeProposal(event)}`,
    'proposal.withdrawn': `${who} withdrew the proposal ${describeProposal(event)}`,
    'proposal.expired': `The proposal ${describeProposal(event)} has expired`,
    'comment.added': `${who} ${event.comment?.thread === event.comment?.id ? 'commented' : 'replied to a comment'} on ${describeSubject(event)}`,
    'comment.changed': `${who} ${describeCommentChange(event)} on ${describeSubject(event)}`,
    'comment.deleted': `${who} deleted a comment on ${describeSubject(event)}`,
    'release.started': `${who} started a release of ${name} on ${label}: ${describeArms(event)}`,
    'release.widened': `${describeAuthor(event)} widened the release of ${name} on ${label}: ${describeArms(event)}`,
    'release.paused': `${describeAuthor(event)} paused the release of ${name} on ${label}${describeCause(event)}`,
    'release.resumed': `${who} resumed the release of ${name} on ${label}`,
    'release.rolled_back': `${describeAuthor(event)} rolled back the release of ${name} on ${label}${describeCause(event)}`,
    'release.finished': `${who} finished the release of ${name} on ${label}`,
    'dependency.changed': `${cause?.prompt.name} changed at ${cause?.label}. ${name}${labels ? ` (${labels.join(', ')})` : ''} includes it`,
    'results.worsened': describeWorsening(event),
    'rules.changed': `${who} changed the rules of ${labels?.join(', ')}`,
    'key.reset': `${who} reset the API key of the workspace’s owner`,
    'member.added': `${member?.name} joined with the role ${member?.role}`,
    'member.changed': `${who} changed the role of ${member?.name} from ${previousRole} to ${member?.role}`,
    'member.removed': member?.userId === by?.userId ? `${who} left the workspace` : `${who} removed ${member?.name} from the workspace`,
    test: `This is a test message from PromptHarbor, sent by ${who}`,
  };
  return texts[type] ?? type;
}

function describeProposal({ proposal }: WorkspaceEvent): string {
  const changes = (proposal?.changes ?? []).map(
    ({ prompt, label, version }) => `${label} of ${prompt}${version === undefined ? '' : ` to version ${version}`}`,
  );
  return `to move ${changes.join(', ')}`;
}

function describeSubject({ prompt, comment }: WorkspaceEvent): string {
  const line = comment?.line === undefined ? '' : `line ${comment.line} of ${comment.part === 'text' ? '' : `the ${comment.part} of `}`;
  if (comment?.version !== undefined) return `${line}version ${comment.version} of ${prompt?.name}`;
  if (comment?.candidate !== undefined) return `${line}a candidate of ${prompt?.name}`;
  return `a proposal for ${prompt?.name}`;
}

function describeCommentChange({ comment }: WorkspaceEvent): string {
  if (comment?.resolved === undefined) return 'edited a comment';
  return `${comment.resolved ? 'resolved' : 'reopened'} a thread`;
}

function describeWorsening({ prompt, label, version, from, metric, current = 0, previous = 0 }: WorkspaceEvent): string {
  const subject = `${label} of ${prompt?.name}: version ${version}`;
  if (metric === 'p95')
    return `${subject} is slower than version ${from} (95th percentile ${toDuration(current)} instead of ${toDuration(previous)})`;
  return `${subject} fails more often than version ${from} (${toPercent(current)} of calls instead of ${toPercent(previous)})`;
}

/**
 * Describes who made a change. An automatic change to a release is recorded under the person who started the release, but the service made
 * it.
 */
function describeAuthor({ by, release }: WorkspaceEvent): string {
  return by && !release?.automatic ? by.name : 'PromptHarbor';
}

function describeArms({ release }: WorkspaceEvent): string {
  return (release?.arms ?? []).map(({ version, weight }) => `version ${version} for ${weight / 100}%`).join(', ');
}

function describeCause({ release }: WorkspaceEvent): string {
  const worse = release?.guards?.find(({ verdict }) => verdict === 'worse');
  if (release?.cause === 'regression') return `, because ${worse ? `${worse.metric} of ${worse.arm}` : 'an arm'} is worse than allowed`;
  if (release?.cause === 'not_allowed') return ', because the next step needs checks or approvals';
  return release?.cause === 'sample_ratio' ? ', because the numbers of units do not match the weights' : '';
}

function toPercent(share: number): string {
  return `${Number((share * 100).toPrecision(2))}%`;
}

function toDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toPrecision(2))} s`;
}

function findUrl({ type, prompt }: EventRecord, workspaceId: string, origin: string): string {
  const path = prompt ? `/dashboard/prompts/${prompt.name.split('/').map(encodeURIComponent).join('/')}` : '/dashboard/settings/members';
  const isShown = prompt ? type !== 'prompt.deleted' : type.startsWith('member.');
  return `${origin}${inWorkspace(isShown ? path : '/dashboard', workspaceId)}`;
}

/** Cuts a text to a number of characters and escapes what Slack would read as markup. Lone surrogates are replaced. */
function escapeText(text: string, maxLength: number): string {
  const points = [...text.toWellFormed()];
  let escaped = '';
  for (const point of points) {
    const next = escapes[point] ?? point;
    if (escaped.length + next.length > maxLength - 1) return `${escaped}…`;
    escaped += next;
  }
  return escaped;
}

/** The characters that Slack reads as the start or end of a link or a mention, and `&`. */
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
