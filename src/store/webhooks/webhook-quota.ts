import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';

/** Throws if a workspace already has as many webhooks as it may. Its row must be locked. */
export async function assertWebhookQuota(db: Kysely<Database>, accountId: string, quota: number): Promise<void> {
  if (quota === Number.POSITIVE_INFINITY) return;
  const { count } = await db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= quota)
    throw new AppError('quota_exceeded', { text: `A workspace has at most ${quota} webhooks (setting QUOTA_WEBHOOKS).` });
}
