import type { ReactNode } from 'react';
import { formatAgo, formatDateTime, formatMs, formatNumber } from '../lib/format.ts';
import type { PromptResults } from '../lib/types.ts';
import { formatCost } from '../runs/format.ts';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { compareCosts, compareDurations, compareErrorRates, compareScores, type Verdict } from './compare.ts';
import { formatBounds, formatMean, formatRate, missing, type Score } from './format.ts';
import { findScore, listScores } from './scores.ts';
import { Categories, NoValue } from './Values.tsx';

type Comparison = NonNullable<PromptResults['comparison']>;
type Side = Comparison['current'];

/** Shows the changes in the results since a label was moved to its current version. */
export function SinceDeployment({ comparison: { label, since, current, previous } }: { comparison: Comparison }) {
  const scores = listScores([previous, current]).sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Card className="overflow-hidden">
      <div className="px-4 pt-3.5 pb-1">
        <h2 className="font-semibold text-sm">Since the last deployment</h2>
        <p className="text-ink-3 text-xs">
          <span dir="auto" className="font-medium text-ink-2">
            {label}
          </span>{' '}
          moved to v{current.version}{' '}
          <time dateTime={since} title={formatDateTime(since)}>
            {formatAgo(since)}
          </time>
          . The table compares the calls of both versions at this label in the selected period.
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label="Since the last deployment" tabIndex={0} className="relative overflow-x-auto -outline-offset-2">
        <table className="w-full">
          <thead>
            <tr className="border-line border-b text-right text-ink-3 text-xs">
              <th scope="col" className="py-1.5 pr-3 pl-4 text-left font-normal">
                <span className="sr-only">Measure</span>
              </th>
              <th scope="col" className="py-1.5 pr-3 font-normal">
                Before: v{previous.version}
              </th>
              <th scope="col" className="py-1.5 pr-3 font-normal max-sm:pr-4">
                Now: v{current.version}
              </th>
              <th scope="col" className="py-1.5 pr-4 text-left font-normal max-sm:hidden">
                Difference
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            <Row name="Calls" before={formatNumber(previous.calls)} now={formatNumber(current.calls)} />
            <Row
              name="Errors"
              before={<Rate side={previous} />}
              now={<Rate side={current} />}
              verdict={compareErrorRates(previous.errorRate, current.errorRate)}
            />
            <DurationRow name="Median duration" measure="durationMs" percentile="p50" current={current} previous={previous} />
            <DurationRow name="95th percentile" measure="durationMs" percentile="p95" current={current} previous={previous} />
            <DurationRow name="First chunk" measure="firstChunkMs" percentile="p50" current={current} previous={previous} />
            <Row name="Cost per call" before={costOf(previous)} now={costOf(current)} verdict={compareCosts(previous, current)} />
            {scores.map((score) => {
              const { key, name, type } = score;
              const [before, now] = [findScore(previous, score), findScore(current, score)];
              return (
                <Row
                  key={key}
                  name={
                    <span dir="auto" title={name} className="line-clamp-3">
                      {name}
                      {type !== undefined && <span className="text-ink-3"> {type}</span>}
                    </span>
                  }
                  before={<ScoreMean score={before} />}
                  now={<ScoreMean score={now} />}
                  verdict={compareScores(before, now)}
                />
              );
            })}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

/** Explains why there is nothing to compare yet. */
export function NoComparison({ label }: { label: string }) {
  return (
    <Card className="px-4 pt-3.5 pb-5">
      <h2 className="font-semibold text-sm">Since the last deployment</h2>
      <p className="mt-1 text-ink-3">
        Nothing to compare yet. A comparison needs calls in the selected period that were reported with the label{' '}
        <span dir="auto" className="font-medium text-ink-2 wrap-anywhere">
          {label}
        </span>
        , both for its current version and for the version before it.
      </p>
    </Card>
  );
}

interface RowProps {
  name: ReactNode;
  before: ReactNode;
  now: ReactNode;
  verdict?: Verdict | undefined;
}

function Row({ name, before, now, verdict }: RowProps) {
  return (
    <tr className="align-top">
      <th scope="row" className="min-w-28 max-w-48 py-2 pr-3 pl-4 text-left font-normal wrap-anywhere">
        {name}
      </th>
      <td className="py-2 pr-3 text-right text-ink-2 whitespace-nowrap tabular">{before}</td>
      <td className="py-2 pr-3 text-right font-medium whitespace-nowrap tabular max-sm:pr-4">
        {now}
        {/* On a phone, there is no space for a fourth column. */}
        {verdict && (
          <span className="block font-normal sm:hidden">
            <VerdictText verdict={verdict} />
          </span>
        )}
      </td>
      <td className="py-2 pr-4 max-sm:hidden">{verdict && <VerdictText verdict={verdict} />}</td>
    </tr>
  );
}

function VerdictText({ verdict: { text, tone, reason } }: { verdict: Verdict }) {
  return (
    <span title={reason}>
      {tone === 'open' ? <span className="text-ink-3">{text}</span> : <Badge tone={tones[tone]}>{text}</Badge>}
      <span className="sr-only">. {reason}.</span>
    </span>
  );
}

const tones = { better: 'accent', worse: 'danger', changed: 'neutral' } as const;

interface DurationRowProps extends Pick<Comparison, 'current' | 'previous'> {
  name: string;
  measure: 'durationMs' | 'firstChunkMs';
  percentile: 'p50' | 'p95';
}

/** Shows a percentile of both versions, or nothing if neither version has one. */
function DurationRow({ name, measure, percentile, current, previous }: DurationRowProps) {
  const [before, now] = [previous, current].map((side) => ({ calls: side.calls, errors: side.errors, value: side[measure][percentile] }));
  if (!before || !now || (before.value === null && now.value === null)) return null;
  const why = measure === 'durationMs' ? missing.duration : missing.firstChunk;
  const text = (value: number | null) => (value === null ? <NoValue why={why} /> : formatMs(value));
  return <Row name={name} before={text(before.value)} now={text(now.value)} verdict={compareDurations(before, now, percentile)} />;
}

function Rate({ side: { errorRate } }: { side: Side }) {
  if (errorRate === null) return <NoValue why={missing.rate} />;
  const { value, low, high } = errorRate;
  return <span title={`95% confidence interval: ${formatBounds(formatRate(low), formatRate(high))}`}>{formatRate(value)}</span>;
}

function costOf({ costPerCall }: Side): ReactNode {
  return costPerCall === null ? <NoValue why={missing.cost} /> : formatCost(costPerCall);
}

function ScoreMean({ score }: { score: Score | undefined }) {
  if (!score || score.count === 0) return <NoValue why={missing.score} />;
  if (score.kind === 'category') return <Categories score={score} />;
  if (score.mean === null) return <NoValue why={missing.score} />;
  const { low, high } = score;
  const bounds =
    low === null || high === null
      ? missing.interval
      : `95% confidence interval: ${formatBounds(formatMean(score, low), formatMean(score, high))}`;
  return <span title={`${bounds}. Given ${formatNumber(score.count)} times`}>{formatMean(score, score.mean)}</span>;
}
