import { countValue, estimateMessageTokens } from '../../../src/contract/token-estimate.ts';
import { formatNumber } from '../lib/format.ts';
import type { Preview } from '../lib/types.ts';
import { parametersOf } from './run-input.ts';

/** Estimates the number of tokens of the rendered prompt, before it runs. */
export function TokenEstimate({ rendered, config }: { rendered: Preview | undefined; config: unknown }) {
  if (!rendered) return null;
  return (
    <p className="text-ink-3 text-xs" title="An approximation from the length of the text. Each model counts tokens in its own way.">
      {describeTokens(estimatePrompt(rendered, config))}
    </p>
  );
}

/** Estimates the tokens of the input: the messages, the tools and the output schema, which may also be in the config. */
function estimatePrompt({ text, messages, ...declared }: Preview, config: unknown): number {
  const { tools, response_format: format } = parametersOf(config, declared);
  return estimateMessageTokens(messages ?? [{ content: text }]) + countValue(tools) + countValue(format);
}

/** Formats the estimate with two digits, because further digits would only seem exact. */
function describeTokens(tokens: number): string {
  const rounded = Number(tokens.toPrecision(2));
  return `About ${formatNumber(rounded)} tokens`;
}
