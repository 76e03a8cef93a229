import type { PromptType } from '../../contract/versions.ts';
import type { CaseRecord } from '../../store/models/cases.ts';
import type { ExportedEvent, ExportedVersion } from '../../store/prompts/export.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { PromptExtent } from '../../store/prompts/versions.ts';
import { parseStoredContent } from '../prompts/versions/version-content.ts';

// Creates the lines that contract/transfer.ts defines. All stored JSON was written by JSON.stringify, so the same state always gives the
// same text.

export function toPromptLine(prompt: PromptOverview, { lastVersion, lastEvent }: PromptExtent, active: ReleaseRecord[]): string {
  const { name, type, description, tags, createdAt, updatedAt } = prompt;
  const labels = sortLabels(prompt.labels);
  const releases = active.length > 0 && { releases: active.map(toReleaseOfLabel) };
  return toLine({ kind: 'prompt', name, type, description, tags, labels, ...releases, lastVersion, lastEvent, createdAt, updatedAt });
}

function toReleaseOfLabel({ label, state, cause, split, plan, startedAt, changedAt }: ReleaseRecord): object {
  const { salt, control, arms, rules } = split;
  const { metric, ...rest } = plan;
  return { label, state, cause, salt, control, arms, rules, ...(metric !== null && { metric }), ...rest, startedAt, changedAt };
}

export function toVersionLine(type: PromptType, record: ExportedVersion): string {
  const { version, syntax, config, message, createdAt, deletedAt } = record;
  const by = authorOf(record);
  if (deletedAt !== null) return toLine({ kind: 'version', version, syntax, createdAt, by, deletedAt });
  const { type: _, ...content } = parseStoredContent(type, record);
  return toLine({ kind: 'version', version, ...content, config: JSON.parse(config), message, createdAt, by });
}

export function toCaseLine({ id, name, content, createdAt, updatedAt }: CaseRecord): string {
  return toLine({ kind: 'case', id, name, ...JSON.parse(content), createdAt, updatedAt });
}

export function toEventLine(event: ExportedEvent): string {
  const { id, type, at, detail } = event;
  return toLine({ kind: 'event', id, type, at, by: authorOf(event), detail: JSON.parse(detail) });
}

/** Sorts the labels, so that the same labels always have the same order. */
function sortLabels(labels: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function authorOf({ byName, byVia }: Pick<ExportedVersion, 'byName' | 'byVia'>) {
  return { name: byName, ...(byVia !== null && { via: byVia }) };
}

function toLine(fields: object): string {
  return `${JSON.stringify(fields)}\n`;
}
