import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { casesQuery } from '../cases/queries.ts';
import { CaseRow } from '../checks/CaseRow.tsx';
import { checkQuery, checksQuery } from '../checks/queries.ts';
import { RunChecks } from '../checks/RunChecks.tsx';
import { describeOutcome } from '../checks/results.ts';
import { type CaseRowData, toRows } from '../checks/rows.ts';
import { plural } from '../lib/format.ts';
import type { Case, CheckSummary, Prompt } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { checkSubjectOf, findCheckRun, type Side } from './sides.ts';

interface CheckComparisonProps {
  prompt: Prompt;
  before: Side | undefined;
  after: Side;
}

const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3 wrap-anywhere';
const ignore = () => {};

/** Shows the results of the test cases with the current and the proposed content. Results that differ come first. */
export function CheckComparison({ prompt, before, after }: CheckComparisonProps) {
  const cases = useQuery(casesQuery(prompt.name));
  const checks = useQuery(checksQuery(prompt.name));
  if (!cases.data || !checks.data) return null;
  if (cases.data.length === 0) {
    return (
      <p className="text-ink-3 text-xs">
        This prompt has no test cases, so there are no checks or sample outputs to compare.{' '}
        <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} search={{ view: 'checks' }} className={linkClass}>
          Add test cases
        </Link>
      </p>
    );
  }
  const runs = { before: before && findCheckRun(checks.data, before), after: findCheckRun(checks.data, after) };
  return (
    <section aria-label="Checks" className="space-y-2">
      <h3 className="font-semibold">Checks</h3>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-ink-2">
        {before && <Outcome prompt={prompt} side={before} run={runs.before} />}
        <Outcome prompt={prompt} side={after} run={runs.after} />
      </ul>
      {runs.after && <Rows prompt={prompt} cases={cases.data} runs={{ before: runs.before, after: runs.after }} />}
      {before && !runs.before && <StartChecks prompt={prompt} side={before} cases={cases.data} checks={checks.data} />}
      {!runs.after && <StartChecks prompt={prompt} side={after} cases={cases.data} checks={checks.data} />}
    </section>
  );
}

function Outcome({ prompt, side, run }: { prompt: Prompt; side: Side; run: CheckSummary | undefined }) {
  return (
    <li>
      {side.title}:{' '}
      {run ? (
        <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} search={{ view: 'checks', check: run.id }} className={linkClass}>
          {describeOutcome(run)}
        </Link>
      ) : (
        'not run with the current test cases'
      )}
    </li>
  );
}

interface RowsProps {
  prompt: Prompt;
  cases: Case[];
  runs: { before: CheckSummary | undefined; after: CheckSummary };
}

function Rows({ prompt, cases, runs }: RowsProps) {
  const [hasAll, setAll] = useState(false);
  const after = useQuery(checkQuery(prompt.name, runs.after.id));
  const before = useQuery({ ...checkQuery(prompt.name, runs.before?.id ?? ''), enabled: runs.before !== undefined });
  if (!after.data || (runs.before && !before.data)) return null;
  const rows = toRows(cases, after.data.cases, before.data?.cases ?? []).sort((a, b) => rank(a) - rank(b));
  const notable = rows.filter((row) => rank(row) < same);
  const shown = hasAll ? rows : notable;
  return (
    <div className="overflow-hidden rounded-md border border-line">
      {notable.length === 0 && !hasAll && (
        <p className="px-4 py-2 text-ink-2">{runs.before ? 'All test cases pass, as before.' : 'All test cases pass.'}</p>
      )}
      <ul aria-label="Results of the test cases" className="divide-y divide-line">
        {shown.map(({ id, name, current, result, against, change }) => (
          <CaseRow
            key={id}
            {...{ name, current, result, against, change }}
            title="New"
            againstTitle={runs.before && 'Present'}
            canEdit={false}
            onAction={ignore}
          />
        ))}
      </ul>
      {notable.length < rows.length && (
        <button
          type="button"
          aria-expanded={hasAll}
          className="w-full border-line border-t px-4 py-2 text-left font-medium text-accent-ink text-xs -outline-offset-2 hover:bg-hover"
          onClick={() => setAll(!hasAll)}
        >
          {hasAll
            ? 'Show differences and failures only'
            : rows.length === 1
              ? 'Show the test case'
              : `Show all ${plural(rows.length, 'test case')}`}
        </button>
      )}
    </div>
  );
}

/** The rank of a test case that passes with both contents. */
const same = 3;

/** Orders test cases by importance for reviewers: first those that became worse, then those that became better, then those that fail. */
function rank({ change, result }: CaseRowData): number {
  if (change === 'worse') return 0;
  if (change === 'better') return 1;
  return result?.passed === false ? 2 : same;
}

interface StartChecksProps {
  prompt: Prompt;
  side: Side;
  cases: Case[];
  checks: CheckSummary[];
}

function StartChecks({ prompt, side, cases, checks }: StartChecksProps) {
  if (!mayEdit(useWorkspace())) return null;
  return (
    <RunChecks
      prompt={prompt}
      subject={checkSubjectOf(side)}
      content={side.content}
      cases={cases}
      last={checks[0]}
      label={`Run the checks with ${side.title}`}
    />
  );
}
