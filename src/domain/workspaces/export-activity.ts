import type { ActivityEntry, WorkspaceActivityQuery } from '../../contract/workspace-activity.ts';
import { formatCsv } from '../../platform/csv.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { batchTexts } from '../text-batches.ts';
import { type ActivityRequest, readActivity } from './read-activity.ts';
import { toRequest, type WithActivityRetention } from './workspace-activity.ts';

const batchEntries = 500;

interface ExportOptions {
  format: 'csv' | 'jsonl';
  query: Omit<WorkspaceActivityQuery, 'limit' | 'cursor' | 'format'>;
  /** Called before each batch. Throws if the caller has lost access. */
  assertAllowed: () => Promise<void>;
}

/** Exports the activity of the actor's workspace, newest first, from one snapshot. */
export async function* exportActivity(
  ctx: WithStore & WithActivityRetention,
  actor: Actor,
  { format, query, assertAllowed }: ExportOptions,
): AsyncGenerator<string> {
  const request = await toRequest(ctx, actor, query);
  const texts = ctx.store.streamSnapshot(actor.workspaceId, (stores) => readTexts(stores, request, formats[format]));
  yield* batchTexts(texts, assertAllowed);
}

async function* readTexts(stores: ReadingStores, request: ActivityRequest, { header, toText }: Format): AsyncGenerator<string> {
  yield header;
  let before: string | undefined;
  do {
    const { entries, next } = await readActivity(stores, request, { before, limit: batchEntries });
    yield entries.map(toText).join('');
    before = next;
  } while (before !== undefined);
}

interface Format {
  header: string;
  toText(entry: ActivityEntry): string;
}

const columns = ['time', 'kind', 'type', 'person', 'userId', 'via', 'prompt', 'label', 'from', 'to', 'override', 'detail'];

const formats: Record<ExportOptions['format'], Format> = {
  csv: { header: formatCsv([columns]), toText: (entry) => formatCsv([toRow(entry)]) },
  jsonl: { header: '', toText: (entry) => `${JSON.stringify(entry)}\n` },
};

function toRow({ at, kind, type, by, prompt, detail }: ActivityEntry): (string | number | null)[] {
  const { label = null, override = null } = detail;
  const person = [by?.name ?? null, by?.userId ?? null, by?.via ?? null];
  return [at, kind, type, ...person, prompt?.name ?? null, label, ...toChange(detail), override, JSON.stringify(detail)];
}

/** Returns the previous and the new value of what changed. */
function toChange(detail: ActivityEntry['detail']): [from: string | number | null, to: string | number | null] {
  const { previous, previousRole, role, from = null, to, version } = detail;
  if (previous) {
    const changed = Object.keys(previous) as (keyof typeof previous)[];
    return [JSON.stringify(previous), JSON.stringify(Object.fromEntries(changed.map((field) => [field, detail[field]])))];
  }
  return previousRole === undefined ? [from, to ?? version ?? role ?? null] : [previousRole, role ?? null];
}
