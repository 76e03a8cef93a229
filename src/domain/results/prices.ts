import { type BuiltInPrice, findListPrice } from '../../contract/model-prices.ts';
import type { WithStore } from '../../store/store.ts';
import { costOf } from '../runs/daily-budget.ts';
import type { Report, ReportedCall } from './report.ts';

/** The maximum number of connections whose prices are considered. */
const maxConnections = 100;

/**
 * Returns a function that calculates the cost of a call from the tokens. It uses the price of the model in one of the workspace's
 * connections or, if there is none, the list price.
 */
export async function createPriceFinder({ store }: WithStore, workspaceId: string, { calls, ends }: Report) {
  const needsPrices = [...calls, ...ends].some(
    ({ model, cost, isOpen }: Partial<ReportedCall>) => model !== undefined && cost === undefined && !isOpen,
  );
  const connections = needsPrices ? await store.connections.list(workspaceId, { afterId: '', limit: maxConnections }) : [];
  const found = new Map<string, BuiltInPrice | undefined>();

  function findPrice(model: string, provider: string | undefined): BuiltInPrice | undefined {
    const owned = connections.find(({ prices }) => Object.hasOwn(prices, model));
    return owned?.prices[model] ?? findListPrice(model, provider);
  }

  return ({ model, provider, inputTokens, outputTokens }: Pick<ReportedCall, 'model' | 'provider' | 'inputTokens' | 'outputTokens'>) => {
    if (model === undefined || (inputTokens ?? outputTokens) === undefined) return undefined;
    const key = `${provider}\n${model}`;
    if (!found.has(key)) found.set(key, findPrice(model, provider));
    return costOf({ inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 }, found.get(key)) ?? undefined;
  };
}
