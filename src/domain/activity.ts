import { invalidField } from '../errors.ts';
import type { Context } from './context.ts';

/** A page of what happened to an account, the newest first. */
export async function listActivity(ctx: Context, accountId: string, page: { limit?: number | undefined; cursor?: string | undefined }) {
  const { limit = 50, cursor } = page;
  if (cursor !== undefined && !/^e_[0-9a-z]+_[0-9a-f]{16}$/.test(cursor)) {
    throw invalidField('/cursor', 'Pass the nextCursor of the page before');
  }
  // One more than asked for tells whether there is a next page.
  const found = await ctx.store.accountEvents.list(accountId, { beforeId: cursor, limit: limit + 1 });
  const data = found.slice(0, limit);
  return { data, nextCursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
}
