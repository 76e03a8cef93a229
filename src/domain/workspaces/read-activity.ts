import { type ActivityType, activityTypes } from '../../contract/activity-types.ts';
import type { ActivityEntry } from '../../contract/workspace-activity.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { ActivityFilter, ActivityRow, ActivitySource, IdRange } from '../../store/workspaces/workspace-activity.ts';
import { firstIdAt } from '../ids.ts';

export interface ActivityRequest {
  workspaceId: string;
  sources: ActivitySource[];
  filter: ActivityFilter;
}

type ActivityStores = Pick<ReadingStores, 'workspaceActivity'>;

/**
 * The maximum number of rows that a page reads from each source. After these rows, the page ends, even if it has no entries. The limit
 * keeps a request fast even if its filter matches only a few of a million entries.
 */
const visitedRows = 20_000;
/** An entry's id is created just after its time was read, and the clock may be corrected in between. */
const clockToleranceMs = 60_000;

/** Reads the next entries before an id, newest first. `next` is the id before which the next page begins, if there is one. */
export async function readActivity(
  stores: ActivityStores,
  { workspaceId, sources, filter }: ActivityRequest,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ entries: ActivityEntry[]; next: string | undefined }> {
  const rows: ActivityRow[] = [];
  let floor: string | undefined;
  for (const source of sources) {
    const found = await readSource(stores, source, { filter, range: toRange(filter, before), limit });
    rows.push(...found.rows);
    if (found.floor !== undefined && (floor === undefined || found.floor > floor)) floor = found.floor;
  }
  // Only rows above the highest `floor` are used. Below that id, a source may have rows that have not been read yet.
  const known = rows.filter(({ id }) => floor === undefined || id >= floor).sort((one, other) => (one.id < other.id ? 1 : -1));
  const shown = known.slice(0, limit);
  const entries = await toEntries(stores, workspaceId, shown);
  return { entries, next: known.length > limit ? shown.at(-1)?.id : floor };
}

/**
 * Reads up to `limit + 1` entries of one source. The result contains every entry with an id of at least `floor` or, without `floor`, every
 * entry.
 */
async function readSource(
  { workspaceActivity }: ActivityStores,
  source: ActivitySource,
  { filter, range, limit }: { filter: ActivityFilter; range: IdRange; limit: number },
): Promise<{ rows: ActivityRow[]; floor: string | undefined }> {
  const floor = await workspaceActivity.findFloor(source, range, visitedRows);
  const rows = await workspaceActivity.list(source, { ...filter, ...range, ...(floor !== undefined && { floor }) }, limit + 1);
  return { rows, floor: rows.length > limit ? rows.at(-1)?.id : floor };
}

/** Returns the ids of the rows to visit. Ids sort by time. */
function toRange({ from, to }: ActivityFilter, before: string | undefined): IdRange {
  const end = to === undefined ? undefined : firstIdAt('e', new Date(Date.parse(to) + clockToleranceMs));
  return {
    before: before !== undefined && end !== undefined && end < before ? end : (before ?? end),
    floor: from === undefined ? undefined : firstIdAt('e', new Date(Date.parse(from) - clockToleranceMs)),
  };
}

async function toEntries({ workspaceActivity }: ActivityStores, workspaceId: string, rows: ActivityRow[]): Promise<ActivityEntry[]> {
  const ids = new Set(rows.flatMap(({ promptId }) => promptId ?? []));
  const prompts = await workspaceActivity.findPrompts(workspaceId, [...ids]);
  return rows.flatMap((row) => {
    const found = row.promptId === null ? undefined : prompts.get(row.promptId);
    // The prompt was removed after its history was read.
    if (row.promptId !== null && !found) return [];
    const prompt = found ? { id: found.id, name: found.name, ...(found.deletedAt !== null && { deletedAt: found.deletedAt }) } : null;
    return [toEntry(row, prompt)];
  });
}

function toEntry({ id, type, at, by, detail: text }: ActivityRow, prompt: ActivityEntry['prompt']): ActivityEntry {
  // The types come from the sources, and our own code wrote the details.
  const detail = (text === null ? {} : JSON.parse(text)) as ActivityEntry['detail'] & { workspace?: unknown };
  const { workspace } = detail;
  return {
    id,
    kind: activityTypes[type as ActivityType].kind,
    type,
    at,
    by,
    prompt,
    // The history of a prompt stores only the name of the other workspace.
    detail: typeof workspace === 'string' ? { ...detail, workspace: { name: workspace } } : detail,
  };
}
