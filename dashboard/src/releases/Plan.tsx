import { plural } from '../lib/format.ts';
import { More } from './More.tsx';
import { describeMargin, nameMetric } from './metrics.ts';
import type { Release } from './release.ts';

const list = new Intl.ListFormat('en');
const choice = new Intl.ListFormat('en', { type: 'disjunction' });

/** Describes the settings of a release in sentences. */
export function Plan({ release: { guards, steps, rules, minUnits, everyMinutes, onRegression } }: { release: Release }) {
  const allowed = guards.map((guard) => `${nameMetric(guard.metric)} ${describeMargin(guard)}`);
  return (
    <More title="Settings">
      <ul className="mt-2 list-disc space-y-1 pl-5 text-ink-2 wrap-anywhere">
        <li>
          {guards.length === 0
            ? 'The service watches no metric.'
            : `Allowed: ${list.format(allowed)}. If an arm is worse with statistical certainty, the service ${onRegression === 'pause' ? 'pauses the release' : 'rolls the release back'}.`}
        </li>
        {steps.length > 0 && (
          <li>
            The service takes a step only after each version has {plural(minUnits, 'unit')} (keys with results), and at least{' '}
            {plural(everyMinutes, 'minute')} after the shares last changed.
          </li>
        )}
        {rules.map((rule) => {
          const conditions = Object.entries(rule.if).map(([name, values]) => `${name} is ${choice.format(values)}`);
          const text = `${list.format(conditions)}: v${rule.version}`;
          return <li key={text}>Callers whose {text}.</li>;
        })}
      </ul>
    </More>
  );
}
