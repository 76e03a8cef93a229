import type { Price } from '../../contract/models.ts';
import type { TokenUsage } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';

const tokensPerPrice = 1_000_000;

/**
 * Throws `budget_exceeded` once a workspace has used up its daily budget. Runs in progress are not counted yet, so a workspace may exceed
 * the budget by what it runs at the same time.
 */
export async function assertBudget({ store }: WithStore, workspaceId: string): Promise<void> {
  const found = await store.modelUsage.find(workspaceId, today());
  if (!found) return;
  const { budget, used } = found;
  const isCostUsed = budget.cost !== null && used.cost >= budget.cost;
  const isTokensUsed = budget.tokens !== null && used.tokens >= budget.tokens;
  if (!isCostUsed && !isTokensUsed) return;
  const limit = isCostUsed ? `$${budget.cost}` : `${budget.tokens} tokens`;
  const now = Date.now();
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  throw new AppError('budget_exceeded', {
    text: `The workspace has used up its budget of ${limit} for today (UTC). An admin can raise it in the workspace settings.`,
    retryAfterSeconds: Math.ceil((midnight - now) / 1000),
  });
}

/** Counts the usage of a request to a model, even if it failed. */
export async function countUsage({ store }: WithStore, workspaceId: string, usage: TokenUsage, cost: number | null): Promise<void> {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens > 0) await store.modelUsage.add(workspaceId, today(), { tokens, cost: cost ?? 0 });
}

export function costOf({ inputTokens, outputTokens }: TokenUsage, price: Price | undefined): number | null {
  if (!price) return null;
  return (inputTokens * price.input + outputTokens * price.output) / tokensPerPrice;
}

function today(): string {
  return new Date().toISOString().slice(0, '2026-03-01'.length);
}
