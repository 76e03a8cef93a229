import type { Context } from './context.ts';
import { decodeCursor, encodeCursor } from './cursors.ts';

/** A page of what happened to an account, the newest first. */
export async function listActivity(ctx: Context, accountId: string, page: { limit?: number | undefined; cursor?: string | undefined }) {
  const { limit = 50, cursor } = page;
  const [beforeId] = cursor === undefined ? [] : decodeCursor('activity', 1, cursor);
  const found = await ctx.store.accountEvents.list(accountId, { beforeId, limit: limit + 1 });
  const data = found.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: found.length > limit && last ? encodeCursor('activity', [last.id]) : null };
}
