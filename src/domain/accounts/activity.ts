import type { AccountEvent } from '../../contract/activity.ts';
import type { Page, PageQuery } from '../../contract/lists.ts';
import type { Store, WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { assertPerson } from './own-account.ts';

/** Returns a page of the account's events, newest first. */
export async function listActivity(ctx: WithStore, actor: Actor, query: PageQuery): Promise<Page<AccountEvent>> {
  assertPerson(actor);
  const list = (beforeId: string | undefined, limit: number) => ctx.store.activity.list(actor.accountId, { beforeId, limit });
  return readPage('activity', query, list, toEvent);
}

type EventRecord = Awaited<ReturnType<Store['activity']['list']>>[number];

function toEvent({ id, type, at, address, userAgent, byAccountId, byName, detail }: EventRecord): AccountEvent {
  return {
    id,
    // The table contains only audit events, so the type and the detail have these shapes.
    type: type as AccountEvent['type'],
    at,
    address,
    userAgent,
    by: byAccountId === null ? null : { userId: byAccountId, name: byName ?? '' },
    detail: detail === null ? null : (JSON.parse(detail) as AccountEvent['detail']),
  };
}
