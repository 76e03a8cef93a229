import type { HistoryEntry } from '../../contract/history.ts';
import { defaultPageLimit, type Page, type PageQuery } from '../../contract/lists.ts';
import type { PromptStores } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { newId } from '../ids.ts';
import { toPerson } from '../people.ts';
import { getPromptRecord } from './prompt-records.ts';

/** Records a change in the prompt's history. Runs inside the transaction of the change. */
export async function recordEvent(
  stores: Pick<PromptStores, 'history'>,
  actor: Actor,
  promptId: string,
  { type, ...detail }: Omit<HistoryEntry, 'id' | 'at' | 'by'>,
): Promise<void> {
  await stores.history.insert(actor.workspaceId, promptId, {
    id: newId('e'),
    type,
    detail: JSON.stringify(detail),
    by: toPerson(actor),
    at: new Date().toISOString(),
  });
}

/** A page of a prompt's changes, newest first. */
export async function listHistory(ctx: Context, actor: Actor, name: string, query: PageQuery): Promise<Page<HistoryEntry>> {
  const { limit = defaultPageLimit, cursor } = query;
  const prompt = await getPromptRecord(ctx.store, actor, name);
  const [before] = cursor === undefined ? [] : decodeCursor('history', 1, cursor);
  const found = await ctx.store.history.list(actor.workspaceId, prompt.id, { before, limit: limit + 1 });
  const { shown, last } = splitPage(found, limit);
  return {
    // recordEvent wrote the detail from the other fields of an entry.
    data: shown.map(({ id, type, at, by, detail }) => ({ id, type, at, by, ...(JSON.parse(detail) as object) }) as HistoryEntry),
    nextCursor: last ? encodeCursor('history', [last.id]) : null,
  };
}
