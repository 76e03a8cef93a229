import { formatMs, formatNumber, formatShare } from '../lib/format.ts';
import type { PromptResults } from '../lib/types.ts';
import { BreakdownTable, NumberCell, ShareBar } from '../stats/BreakdownTable.tsx';
import { formatRate, type Sums } from './format.ts';
import { Cost, CostPerCall } from './Values.tsx';

interface ByModelProps {
  models: (Sums & { model: string | null })[];
  /** Limits the page to a model. */
  onFilter?: (model: string) => void;
}

/** Shows the calls by model, the most expensive first. */
export function ByModel({ models, onFilter }: ByModelProps) {
  const most = shareOf(models);
  return (
    <BreakdownTable title="Models by cost" columns={sumColumns('Model')} empty="No calls in this period.">
      {models.map(({ model, ...sums }) => (
        <tr key={model} className="align-top">
          <td className="py-2 pr-3 pl-4">
            {model === null ? (
              <span
                className="text-ink-3"
                title="Calls reported without a model, and calls to any model after the first 100 models in an hour"
              >
                Other or unspecified model
              </span>
            ) : (
              <ModelName model={model} onFilter={onFilter} />
            )}
            <ShareBar share={most(sums)} />
          </td>
          <SumCells sums={sums} />
        </tr>
      ))}
    </BreakdownTable>
  );
}

function ModelName({ model, onFilter }: { model: string; onFilter: ByModelProps['onFilter'] }) {
  if (!onFilter) {
    return (
      <span dir="auto" className="wrap-anywhere">
        {model}
      </span>
    );
  }
  return (
    <button
      type="button"
      dir="auto"
      title={`Show only ${model}`}
      className="rounded-sm text-left font-medium wrap-anywhere hover:underline"
      onClick={() => onFilter(model)}
    >
      {model}
    </button>
  );
}

export const sumColumns = (first: string): [string, ...string[]] => [first, 'Calls', 'Errors', 'Cost'];

const cellClass = 'py-2 pr-4 text-right whitespace-nowrap tabular';

/** Shows the calls, the error rate and the cost, with the cost per call and the 95th percentile below them. */
export function SumCells({ sums }: { sums: Sums }) {
  const { calls, errors, errorRate, durationMs, costPerCall } = sums;
  return (
    <>
      <td className={cellClass}>
        {formatNumber(calls)}
        {durationMs.p95 !== null && (
          <span className="block text-2xs text-ink-3" title="95% of the successful calls took at most this long">
            p95 {formatMs(durationMs.p95)}
          </span>
        )}
      </td>
      <td className={`${cellClass} ${errors > 0 ? 'text-danger' : 'text-ink-3'}`} title={`${formatNumber(errors)} failed`}>
        {formatRate(errorRate?.value ?? 0)}
      </td>
      <td className={cellClass}>
        <Cost sums={sums} />
        {costPerCall !== null && (
          <span className="block text-2xs text-ink-3">
            <CostPerCall value={costPerCall} />
            <span className="max-sm:sr-only"> per call</span>
          </span>
        )}
      </td>
    </>
  );
}

/** Returns a function that compares a row with the largest one, by cost or, if no cost is known, by calls. */
export function shareOf(rows: Sums[]): (sums: Sums) => number {
  const highest = Math.max(0, ...rows.map(({ cost }) => cost));
  const most = Math.max(1, ...rows.map(({ calls }) => calls));
  return ({ cost, calls }) => (highest > 0 ? cost / highest : calls / most);
}

interface ErrorTypesProps {
  errorTypes: PromptResults['totals']['errorTypes'];
  /** The number of failed calls. */
  errors: number;
}

/** Shows why calls failed. */
export function ErrorTypes({ errorTypes, errors }: ErrorTypesProps) {
  return (
    <BreakdownTable title="Why calls failed" columns={['Error', 'Calls', 'Share']} empty="No call failed in this period.">
      {errorTypes.map(({ type, calls }) => (
        <tr key={type}>
          <td className="py-2 pr-3 pl-4">
            {type === 'other' ? (
              <span className="text-ink-3">Other errors</span>
            ) : (
              <code dir="auto" className="font-mono text-xs break-all">
                {type}
              </code>
            )}
          </td>
          <NumberCell value={calls} danger />
          <td className="py-2 pr-4 text-right text-ink-2 tabular">{formatShare(calls, errors)}</td>
        </tr>
      ))}
    </BreakdownTable>
  );
}
