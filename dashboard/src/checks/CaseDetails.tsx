import { CircleCheck, CircleX } from 'lucide-react';
import { describeCheck } from '../cases/check-words.ts';
import { cx } from '../lib/cx.ts';
import type { Case, CaseResult, CheckResult } from '../lib/types.ts';
import { LongText } from '../ui/LongText.tsx';
import { describeEffort } from './results.ts';

interface ResultColumn {
  /** The version, such as "v3". */
  title: string;
  result: CaseResult | undefined;
}

/** Shows the input of a test case and, for each run, the expected and the actual output. */
export function CaseDetails({ current, columns }: { current: Case | undefined; columns: ResultColumn[] }) {
  return (
    <div className="space-y-4 bg-sunken/50 px-4 pt-1 pb-4 md:pl-11">
      {current ? <Input current={current} /> : <p className="text-ink-3">This test case was deleted after the run.</p>}
      {columns.length > 0 && (
        <div className={cx('grid grid-cols-[minmax(0,1fr)] gap-4', columns.length > 1 && 'lg:grid-cols-2')}>
          {columns.map(({ title, result }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: both runs may be of the same version, and the columns keep their order.
            <Result key={index} title={title} result={result} />
          ))}
        </div>
      )}
    </div>
  );
}

function Input({ current: { variables, checks } }: { current: Case }) {
  const entries = Object.entries(variables);
  return (
    <div>
      <h3 className="mb-2 font-medium text-xs">Input</h3>
      {entries.length === 0 && <p className="text-ink-3 text-xs">No variables.</p>}
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 sm:grid-cols-[minmax(4rem,auto)_minmax(0,1fr)]">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="py-1.5 font-mono text-ink-2 text-xs break-all">{name}</dt>
            <dd className="min-w-0">
              <LongText label={name} text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
            </dd>
          </div>
        ))}
      </dl>
      {checks.length === 0 && <p className="mt-2 text-ink-3 text-xs">This test case has no checks. It passes if the model responds.</p>}
    </div>
  );
}

function Result({ title, result }: ResultColumn) {
  if (!result) {
    return (
      <div>
        <h3 className="font-medium text-xs">{title}</h3>
        <p className="text-ink-3 text-xs">This run did not include the test case.</p>
      </div>
    );
  }
  const { error, checks, output } = result;
  const effort = describeEffort(result);
  return (
    <section aria-label={`Result of ${title}`} className="min-w-0 space-y-3">
      <h3 className="font-medium text-xs">
        {title} {effort !== '' && <span className="font-normal text-ink-3 tabular">{effort}</span>}
      </h3>
      {error && <p className="rounded-md bg-danger-soft px-3 py-2 text-danger wrap-anywhere">{error.message}</p>}
      {checks.length > 0 && (
        <ul className="space-y-1.5">
          {checks.map((check, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: checks have no ids, and results never change.
            <CheckLine key={index} check={check} />
          ))}
        </ul>
      )}
      {output !== null && (
        <div>
          <h4 className="mb-1 text-ink-3 text-xs">Output</h4>
          <LongText label={`Output of ${title}`} text={output} />
        </div>
      )}
    </section>
  );
}

function CheckLine({ check }: { check: CheckResult }) {
  const { passed, message } = check;
  const Icon = passed ? CircleCheck : CircleX;
  return (
    <li className="flex gap-2">
      <Icon
        role="img"
        aria-label={passed ? 'passed' : 'failed'}
        className={cx('mt-0.5 size-4 shrink-0', passed ? 'text-accent' : 'text-danger')}
      />
      <span className="min-w-0 wrap-anywhere">
        {describeCheck(check)}
        {message !== '' && <span className={cx('block text-xs', passed ? 'text-ink-3' : 'text-danger')}>{message}</span>}
      </span>
    </li>
  );
}
