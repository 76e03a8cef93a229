import type { PromptType } from '../../contract/versions.ts';
import type { CaseRecord } from '../../store/models/cases.ts';
import type { ExportedEvent, ExportedVersion } from '../../store/prompts/export.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { PromptExtent } from '../../store/prompts/versions.ts';

// The lines of contract/transfer.ts. What is stored as JSON is put in as it is: it is never parsed, and never changed.

export function toPromptLine(prompt: PromptOverview, { lastVersion, lastEvent }: PromptExtent): string {
  const { name, type, description, tags, labels, createdAt, updatedAt } = prompt;
  return toLine({
    kind: 'prompt',
    name,
    type,
    description,
    tags,
    labels: sortLabels(labels),
    lastVersion,
    lastEvent,
    createdAt,
    updatedAt,
  });
}

export function toVersionLine(type: PromptType, record: ExportedVersion): string {
  const { version, syntax, content, config, message, createdAt, deletedAt } = record;
  const by = authorOf(record);
  if (deletedAt !== null) return toLine({ kind: 'version', version, syntax, createdAt, by, deletedAt });
  return joinFields([
    fieldsOf({ kind: 'version', version, syntax }),
    `${type === 'text' ? '"template"' : '"messages"'}:${content}`,
    `"config":${config}`,
    fieldsOf({ message, createdAt, by }),
  ]);
}

export function toCaseLine({ id, name, content, createdAt, updatedAt }: CaseRecord): string {
  return joinFields([fieldsOf({ kind: 'case', id, name }), content.slice(1, -1), fieldsOf({ createdAt, updatedAt })]);
}

export function toEventLine(event: ExportedEvent): string {
  const { id, type, at, detail } = event;
  return joinFields([fieldsOf({ kind: 'event', id, type, at, by: authorOf(event) }), `"detail":${detail}`]);
}

/** In one order: that of an object with the same keys is always the same. */
function sortLabels(labels: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function authorOf({ byName, byVia }: Pick<ExportedVersion, 'byName' | 'byVia'>) {
  return { name: byName, ...(byVia !== null && { via: byVia }) };
}

function toLine(fields: object): string {
  return `${JSON.stringify(fields)}\n`;
}

function fieldsOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

function joinFields(fields: string[]): string {
  return `{${fields.join(',')}}\n`;
}
