import type { AccountEvent } from '../../contract/activity.ts';
import { defaultPageLimit, type Page, type PageQuery } from '../../contract/lists.ts';
import type { Store, WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { assertPerson } from './own-account.ts';

/** A page of the account's events, newest first. */
export async function listActivity(ctx: WithStore, actor: Actor, query: PageQuery): Promise<Page<AccountEvent>> {
  assertPerson(actor);
  const { accountId } = actor;
  const { limit = defaultPageLimit, cursor } = query;
  const [beforeId] = cursor === undefined ? [] : decodeCursor('activity', 1, cursor);
  const found = await ctx.store.activity.list(accountId, { beforeId, limit: limit + 1 });
  const { shown, last } = splitPage(found, limit);
  return { data: shown.map(toEvent), nextCursor: last ? encodeCursor('activity', [last.id]) : null };
}

type EventRecord = Awaited<ReturnType<Store['activity']['list']>>[number];

function toEvent({ id, type, at, address, userAgent, byAccountId, byName, detail }: EventRecord): AccountEvent {
  return {
    id,
    // Only audit events are stored, with the types and details that they may have.
    type: type as AccountEvent['type'],
    at,
    address,
    userAgent,
    by: byAccountId === null ? null : { userId: byAccountId, name: byName ?? '' },
    detail: detail === null ? null : (JSON.parse(detail) as AccountEvent['detail']),
  };
}
