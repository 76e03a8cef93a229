import { type Kysely, sql } from 'kysely';
import type { DailyBudget } from '../../contract/workspace-settings.ts';
import type { Database } from '../tables.ts';

type ModelUsage = Pick<Database['model_usage'], 'tokens' | 'cost'>;

/** Reads and writes the usage of a workspace's models by day, in UTC. */
export function createModelUsageStore(db: Kysely<Database>) {
  return {
    /** Finds the budget of a workspace and its usage on a day. Returns undefined if there is no budget. */
    async find(accountId: string, day: string): Promise<{ budget: DailyBudget; used: ModelUsage } | undefined> {
      const row = await db
        .selectFrom('accounts')
        .leftJoin('model_usage', (join) => join.onRef('model_usage.account_id', '=', 'accounts.id').on('model_usage.day', '=', day))
        .select(['accounts.daily_budget', 'model_usage.tokens', 'model_usage.cost'])
        .where('accounts.id', '=', accountId)
        .executeTakeFirst();
      if (!row?.daily_budget) return undefined;
      // The column contains JSON of this type.
      const budget = JSON.parse(row.daily_budget) as DailyBudget;
      return { budget, used: { tokens: row.tokens ?? 0, cost: row.cost ?? 0 } };
    },

    async add(accountId: string, day: string, { tokens, cost }: ModelUsage): Promise<void> {
      await db
        .insertInto('model_usage')
        .values({ account_id: accountId, day, requests: 1, tokens, cost })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'day']).doUpdateSet({
            requests: sql<number>`model_usage.requests + 1`,
            tokens: sql<number>`model_usage.tokens + ${tokens}`,
            cost: sql<number>`model_usage.cost + ${cost}`,
          }),
        )
        .execute();
    },
  };
}
