import type { AccountEvent } from '../../contract/activity.ts';
import { defaultPageLimit, type Page, type PageQuery } from '../../contract/lists.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';

/** A page of the account's events, newest first. */
export async function listActivity(ctx: Context, { accountId }: Actor, query: PageQuery): Promise<Page<AccountEvent>> {
  const { limit = defaultPageLimit, cursor } = query;
  const [beforeId] = cursor === undefined ? [] : decodeCursor('activity', 1, cursor);
  const found = await ctx.store.activity.list(accountId, { beforeId, limit: limit + 1 });
  const { shown, last } = splitPage(found, limit);
  // Only audit events are stored, so `type` is one of theirs.
  return { data: shown as AccountEvent[], nextCursor: last ? encodeCursor('activity', [last.id]) : null };
}
