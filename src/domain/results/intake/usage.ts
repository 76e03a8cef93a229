/** The tokens and the cost of a call. The numbers have not been checked yet. */
export interface Usage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  cost: number | undefined;
}

/**
 * Reads the tokens and the cost of a Langfuse observation. Langfuse's SDKs send them in several forms: `usageDetails` with Langfuse's names
 * or the names of a model API, and the older `usage`, in which OpenAI's names are in camel case.
 */
export function usageOf({ usage, usageDetails, costDetails }: Partial<Record<'usage' | 'usageDetails' | 'costDetails', unknown>>): Usage {
  return {
    inputTokens: count(usageDetails, 'input') ?? count(usage, 'input'),
    outputTokens: count(usageDetails, 'output') ?? count(usage, 'output'),
    cost: numberIn(costDetails, 'total') ?? numberIn(usage, 'totalCost'),
  };
}

const otherNames = {
  input: ['prompt_tokens', 'promptTokens', 'input_tokens', 'inputTokens'],
  output: ['completion_tokens', 'completionTokens', 'output_tokens', 'outputTokens'],
} as const;

/**
 * Adds up tokens. With Langfuse's names, numbers do not overlap: `input` does not include `input_cached_tokens`. With the names of model
 * APIs, each number is already a total.
 */
function count(usage: unknown, direction: 'input' | 'output'): number | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const own = numberIn(usage, direction);
  if (own === undefined) return otherNames[direction].map((name) => numberIn(usage, name)).find((found) => found !== undefined);
  const sums: readonly string[] = otherNames[direction];
  const parts = Object.entries(usage).filter(
    ([name, value]) => name.startsWith(`${direction}_`) && !sums.includes(name) && typeof value === 'number',
  );
  return parts.reduce((sum, [, value]) => sum + Number(value), own);
}

function numberIn(value: unknown, name: string): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'number' ? found : undefined;
}
