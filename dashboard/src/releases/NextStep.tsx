import { formatDateTime } from '../lib/format.ts';
import { formatWeight, type Release } from './release.ts';

/** Shows the steps of a release, the steps that it has reached, and the conditions for the next step. */
export function NextStep({ release: { label, arms, steps, step, state, progress } }: { release: Release }) {
  const next = progress?.next;
  if (steps.length === 0) return null;
  return (
    <section aria-label={`Steps of ${label}`}>
      <h3 className="mb-1.5 font-medium">Steps</h3>
      <ol className="flex flex-wrap items-center gap-1.5 text-xs tabular">
        {steps.map((weight, index) => (
          <li
            key={weight}
            className={`rounded-full border px-2 py-0.5 ${index < step ? 'border-accent bg-accent-soft text-accent-ink' : 'border-line-strong text-ink-2'}`}
          >
            {formatWeight(weight)}
            {index < step && <span className="sr-only"> (reached)</span>}
          </li>
        ))}
      </ol>
      <p className="mt-2 text-ink-2">{explain()}</p>
      {next && next.waitsFor.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-ink-2 wrap-anywhere">
          {next.waitsFor.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );

  function explain(): string {
    const weight = steps[step];
    if (weight === undefined)
      return `The last step, ${formatWeight(arms[0]?.weight ?? 0)}, has been reached. Finish the release or roll it back.`;
    if (state === 'paused') return `The next step is ${formatWeight(weight)}. It waits until the release is resumed.`;
    const at = next?.at && Date.parse(next.at) > Date.now() ? `, not before ${formatDateTime(next.at)}` : '';
    return `The next step is ${formatWeight(next?.weight ?? weight)}${at}.${next && next.waitsFor.length > 0 ? ' It waits for:' : ''}`;
  }
}
