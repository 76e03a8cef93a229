import { Badge } from '../ui/Badge.tsx';
import { GuardInterval } from './GuardInterval.tsx';
import { describeMargin, titleMetric } from './metrics.ts';
import { controlWeight, type GuardResult, type Release } from './release.ts';
import { describeBounds, show, verdicts } from './results.ts';

/** Says for each guard and arm whether the arm is worse than the guard allows. */
export function GuardList({ release, results }: { release: Release; results: GuardResult[] }) {
  if (results.length === 0) return null;
  const hasArms = release.arms.length > 1;
  const isAlone = controlWeight(release.arms) === 0;
  return (
    <section aria-label={`Guards of ${release.label}`}>
      <h3 className="mb-1 font-medium">Guards</h3>
      <ul className="divide-y divide-line border-line border-y">
        {results.map((result) => (
          <li
            key={`${result.arm} ${result.metric}`}
            className="grid gap-x-6 gap-y-1.5 py-3 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_7rem] sm:items-center"
          >
            <div className="min-w-0">
              <p dir="auto" className="font-medium wrap-anywhere">
                {titleMetric(result.metric)}
                {hasArms && ` of ${result.arm}`}
              </p>
              <p className="text-ink-2 text-xs tabular">
                {result.arm} {show(result.metric, result.value)}, control {show(result.metric, result.control)}
              </p>
            </div>
            <div className="min-w-0">
              {result.difference ? (
                <GuardInterval result={result} difference={result.difference} />
              ) : (
                <p className="text-ink-3 text-xs">{isAlone ? 'Keys no longer get the control' : 'Too few results to compare'}</p>
              )}
              <p className="mt-1 text-ink-3 text-xs tabular">
                {result.difference ? describeBounds(result) : `Allowed: ${describeMargin(result)}.`}
              </p>
            </div>
            <p className="sm:text-right">
              <Badge tone={verdicts[result.verdict].tone}>{isAlone ? 'not compared' : verdicts[result.verdict].text}</Badge>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
