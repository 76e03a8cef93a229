import { isLabel, latestLabel } from '../contract/label-names.ts';
import { maxTagLength, maxTags, maxVersionMessageLength } from '../contract/limits.ts';
import { normalizeName } from '../contract/prompt-names.ts';
import type { DeletedVersionLine, EventLine, PromptLine, VersionLine } from '../contract/transfer.ts';
import type { Messages } from '../contract/versions.ts';
import { takeFromLangfuseConfig } from './langfuse-config.ts';
import { fromLangfuseContent } from './langfuse-content.ts';
import type { LangfuseListed, LangfuseVersion } from './langfuse-types.ts';
import { sha256Hex } from './sha256.ts';

type Report = (text: string) => void;

/** The error for a prompt that cannot be imported. */
export class Unconvertible extends Error {}

/** The maximum number of deleted versions. Each deleted version becomes a line. */
const maxGaps = 10_000;

/**
 * Converts a Langfuse prompt to lines of an export. Langfuse has no history, so the history is created from the versions and labels. The
 * result is always the same, so that a second import recognizes the entries of the first.
 */
export function* convertLangfuse(prompt: LangfuseListed, versions: LangfuseVersion[], report: Report): Generator<string> {
  const last = versions.at(-1);
  const first = versions[0];
  const name = normalizeName(prompt.name);
  if (!first || !last) throw new Unconvertible('Langfuse lists no versions of this prompt');
  if (last.version - versions.length > maxGaps) {
    throw new Unconvertible(`the newest version is ${last.version}, but there are only ${versions.length} versions; too many are missing`);
  }
  const converted = versions.map((version) => toVersionLine(version, report));
  const labels = readLabels(versions, report);
  const updatedAt = toTime(prompt.lastUpdatedAt, last.createdAt);
  const events = listEvents(name, { versions, labels, updatedAt });
  const line: PromptLine = {
    kind: 'prompt',
    name,
    type: last.type === 'chat' ? 'chat' : 'text',
    description: '',
    tags: readTags(prompt.tags, report),
    labels,
    lastVersion: last.version,
    lastEvent: events.at(-1)?.id ?? null,
    createdAt: toTime(first.createdAt),
    updatedAt,
  };
  yield JSON.stringify(line);
  for (const version of converted) yield JSON.stringify(version);
  for (const version of listGaps(versions)) yield JSON.stringify(version);
  for (const event of events) yield JSON.stringify(event);
}

function toVersionLine(version: LangfuseVersion, report: Report): VersionLine {
  const { prompt, config, commitMessage, createdAt } = version;
  const about = (text: string) => report(`version ${version.version} ${text}`);
  const content = typeof prompt === 'string' ? { template: prompt } : { messages: toMessages(version) };
  const message = commitMessage ?? '';
  if (message.length > maxVersionMessageLength) about(`keeps only the first ${maxVersionMessageLength} characters of its message`);
  return {
    kind: 'version',
    version: version.version,
    syntax: 'mustache',
    ...content,
    ...takeFromLangfuseConfig(config ?? {}, content),
    message: message.slice(0, maxVersionMessageLength).toWellFormed(),
    createdAt: toTime(createdAt),
    by: authorOf(version),
  };
}

function toMessages({ version, prompt }: LangfuseVersion): Messages {
  if (!Array.isArray(prompt)) throw new Unconvertible(`version ${version} is neither a string nor a list of messages`);
  return prompt.map((item: Record<string, unknown> | null): Messages[number] => {
    if (item?.type === 'placeholder' && typeof item.name === 'string') return { placeholder: item.name };
    if (typeof item?.role === 'string' && typeof item.content === 'string')
      return { role: item.role, content: fromLangfuseContent(item.content) };
    throw new Unconvertible(`version ${version} has a message without a role or content`);
  });
}

function readLabels(versions: LangfuseVersion[], report: Report): Record<string, number> {
  const labels: Record<string, number> = {};
  for (const { version, labels: own } of versions) {
    for (const label of own) {
      if (label === latestLabel) continue;
      if (isLabel(label)) labels[label] = version;
      else
        report(
          `the label "${label}" is skipped; use lowercase letters, digits, dots, dashes and underscores, and start and end with a letter or digit`,
        );
    }
  }
  return labels;
}

function readTags(tags: string[], report: Report): string[] {
  const kept = [...new Set(tags)].filter((tag) => tag !== '' && [...tag].length <= maxTagLength).slice(0, maxTags);
  const lost = tags.filter((tag) => !kept.includes(tag));
  if (lost.length > 0) report(`tags beyond ${maxTags} or longer than ${maxTagLength} characters are skipped: ${lost.join(', ')}`);
  return kept;
}

/**
 * Lists the versions that were deleted in Langfuse. The time of a deletion is unknown, so the creation time of the next version is used.
 */
function listGaps(versions: LangfuseVersion[]): DeletedVersionLine[] {
  const gaps: DeletedVersionLine[] = [];
  let next = 1;
  for (const following of versions) {
    const at = toTime(following.createdAt);
    for (; next < following.version; next += 1) {
      gaps.push({ kind: 'version', version: next, syntax: 'mustache', createdAt: at, by: authorOf(following), deletedAt: at });
    }
    next = following.version + 1;
  }
  return gaps;
}

function listEvents(
  name: string,
  { versions, labels, updatedAt }: { versions: LangfuseVersion[]; labels: Record<string, number>; updatedAt: string },
): EventLine[] {
  const events = versions.map((version, index): EventLine => {
    const type = index === 0 ? 'created' : 'version_saved';
    const message = (version.commitMessage ?? '').slice(0, maxVersionMessageLength).toWellFormed();
    return toEvent(name, { type, at: toTime(version.createdAt), by: authorOf(version), detail: { version: version.version, message } });
  });
  for (const [label, to] of Object.entries(labels)) {
    events.push(toEvent(name, { type: 'label_moved', at: updatedAt, by: unknownAuthor, detail: { label, from: null, to } }));
  }
  // The events are sorted by id, as in an export of the service.
  return events.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Creates an event with an id in the service's form, which sorts by time. The id is derived from the event, so that it is always the same.
 */
function toEvent(name: string, event: Omit<EventLine, 'kind' | 'id' | 'by'> & { by: { name: string; via: 'api' } }): EventLine {
  const { type, at, by, detail } = event;
  const digest = sha256Hex(JSON.stringify([name, type, at, detail])).slice(0, 16);
  const position = (detail.version ?? 46655).toString(36).padStart(3, '0').slice(-3);
  return { kind: 'event', id: `e_${Date.parse(at).toString(36).padStart(8, '0')}_${position}${digest}`, type, at, by, detail };
}

const unknownAuthor = { name: 'Langfuse', via: 'api' } as const;

function authorOf({ createdBy }: LangfuseVersion): { name: string; via: 'api' } {
  const name = createdBy
    ?.replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .slice(0, 100)
    .toWellFormed();
  return name ? { name, via: 'api' } : unknownAuthor;
}

/** Returns a time in the format of the service, between the years 1970 and 9999. */
function toTime(text: string, fallback?: string): string {
  const time = new Date(text).getTime();
  if (!Number.isNaN(time)) return new Date(Math.min(Math.max(time, 0), lastTime)).toISOString();
  return fallback === undefined ? new Date(0).toISOString() : toTime(fallback);
}

const lastTime = Date.parse('9999-12-31T23:59:59.999Z');
