import type { BuiltInPrice } from '../../contract/model-prices.ts';
import type { TokenUsage } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import { budgetNoticeLimits } from '../accounts/attempt-limits.ts';
import { isFirst } from '../accounts/throttles.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification } from '../notifications/notify.ts';
import { describeWorkspace } from '../workspaces/change-workspace.ts';

const tokensPerPrice = 1_000_000;

/**
 * Throws `budget_exceeded` once a workspace has used up its daily budget. Runs in progress are not counted yet, so a workspace may exceed
 * the budget by the cost of its concurrent runs.
 */
export async function assertBudget(ctx: WithStore, workspaceId: string): Promise<void> {
  const limit = await findUsedUp(ctx, workspaceId);
  if (limit === undefined) return;
  const now = Date.now();
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  throw new AppError('budget_exceeded', {
    text: `The workspace has used up its budget of ${limit} for today (UTC). An admin can raise it in the workspace settings.`,
    retryAfterSeconds: Math.ceil((midnight - now) / 1000),
  });
}

/** Counts the usage of a request to a model, even if it failed. If the request uses up the budget, notifies the admins, once a day. */
export async function countUsage(ctx: WithStore & WithMail, workspaceId: string, usage: TokenUsage, cost: number | null): Promise<void> {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens === 0) return;
  await ctx.store.modelUsage.add(workspaceId, today(), { tokens, cost: cost ?? 0 });
  const budget = await findUsedUp(ctx, workspaceId);
  if (budget === undefined || !(await isFirst(ctx, budgetNoticeLimits(workspaceId, today())))) return;
  const { memberships } = ctx.store;
  const workspace = await describeWorkspace(ctx.store, workspaceId);
  const recipients = await memberships.listManagers(workspaceId);
  mailNotification(ctx, await addNotification(ctx.store, { kind: 'budget_used_up', workspace, detail: { budget }, recipients }));
}

/** Returns the budget if the workspace has used it up today, and otherwise undefined. */
async function findUsedUp({ store }: WithStore, workspaceId: string): Promise<string | undefined> {
  const found = await store.modelUsage.find(workspaceId, today());
  if (!found) return undefined;
  const { budget, used } = found;
  if (budget.cost !== null && used.cost >= budget.cost) return `$${budget.cost}`;
  return budget.tokens !== null && used.tokens >= budget.tokens ? `${budget.tokens} tokens` : undefined;
}

export function costOf(
  { inputTokens, outputTokens }: Omit<TokenUsage, 'estimated'> & Partial<TokenUsage>,
  price: BuiltInPrice | undefined,
): number | null {
  if (!price) return null;
  const { input, output } = price.long && inputTokens > price.long.above ? price.long : price;
  return (inputTokens * input + outputTokens * output) / tokensPerPrice;
}

function today(): string {
  return new Date().toISOString().slice(0, '2026-03-01'.length);
}
