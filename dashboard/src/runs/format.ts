import { formatMs, formatNumber } from '../lib/format.ts';
import type { RunSummary } from '../lib/types.ts';

const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const fractions = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 0,
  maximumSignificantDigits: 2,
});

/** Formats US dollars. Most runs cost a fraction of a cent. */
export function formatCost(cost: number): string {
  return cost === 0 || cost >= 0.1 ? cents.format(cost) : fractions.format(cost);
}

type Outcome = Pick<RunSummary, 'usage' | 'cost' | 'firstTokenMs' | 'durationMs'>;

interface Metric {
  name: string;
  value: string;
}

/** Returns the metrics of a run, the most interesting first. */
export function metricsOf({ usage, cost, firstTokenMs, durationMs }: Outcome): Metric[] {
  const about = usage.estimated ? '~' : '';
  return [
    { name: 'Input tokens', value: `${about}${formatNumber(usage.inputTokens)} in` },
    { name: 'Output tokens', value: `${about}${formatNumber(usage.outputTokens)} out` },
    ...(firstTokenMs === null ? [] : [{ name: 'Time to the first token', value: `${formatMs(firstTokenMs)} to first token` }]),
    { name: 'Duration', value: `${formatMs(durationMs)} total` },
    ...(cost === null ? [] : [{ name: 'Cost', value: formatCost(cost) }]),
  ];
}

const finishTexts: Record<string, string> = {
  length: 'The model stopped because it reached its token limit (finish reason “length”).',
  content_filter: 'The server’s content filter stopped the model (finish reason “content_filter”).',
};

/** Explains a finish reason if the model did not finish its output normally. */
export function describeFinish(reason: string | null): string | undefined {
  return reason !== null && Object.hasOwn(finishTexts, reason) ? finishTexts[reason] : undefined;
}

/** Returns the name of what was run, such as "v3". */
export function titleOfSource({ version, candidate }: Pick<RunSummary, 'version' | 'candidate'>): string {
  return candidate ? `“${candidate.title}”` : version === null ? 'draft' : `v${version}`;
}
