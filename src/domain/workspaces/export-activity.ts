import type { ActivityEntry, WorkspaceActivityQuery } from '../../contract/workspace-activity.ts';
import { formatCsv } from '../../platform/csv.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { type ActivityRequest, readActivity } from './read-activity.ts';
import { toRequest, type WithActivityRetention } from './workspace-activity.ts';

const batchEntries = 500;
/** The size of a batch, which stays in memory until the client reads it. */
const batchLength = 64 * 1024;

interface ExportOptions {
  format: 'csv' | 'jsonl';
  query: Omit<WorkspaceActivityQuery, 'limit' | 'cursor' | 'format'>;
  /** Called before each batch. Throws if the caller has lost access. */
  assertAllowed: () => Promise<void>;
}

/**
 * Exports the activity of the actor's workspace, newest first, from one snapshot. A batch is read once the caller has consumed the previous
 * one.
 */
export async function* exportActivity(
  ctx: WithStore & WithActivityRetention,
  actor: Actor,
  { format, query, assertAllowed }: ExportOptions,
): AsyncGenerator<string> {
  const request = await toRequest(ctx, actor, query);
  const { header, toText } = formats[format];
  let text = header;
  for await (const entries of ctx.store.streamSnapshot(actor.workspaceId, (stores) => readBatches(stores, request))) {
    text += entries.map(toText).join('');
    if (text.length < batchLength) continue;
    await assertAllowed();
    yield text;
    text = '';
  }
  await assertAllowed();
  if (text !== '') yield text;
}

async function* readBatches(stores: ReadingStores, request: ActivityRequest): AsyncGenerator<ActivityEntry[]> {
  let before: string | undefined;
  do {
    const { entries, next } = await readActivity(stores, request, { before, limit: batchEntries });
    yield entries;
    before = next;
  } while (before !== undefined);
}

const columns = ['time', 'kind', 'type', 'person', 'userId', 'via', 'prompt', 'label', 'from', 'to', 'override', 'detail'];

const formats = {
  csv: { header: formatCsv([columns]), toText: (entry: ActivityEntry) => formatCsv([toRow(entry)]) },
  jsonl: { header: '', toText: (entry: ActivityEntry) => `${JSON.stringify(entry)}\n` },
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
