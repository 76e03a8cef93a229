import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CaseResult, CheckSummary, Prompt } from '../lib/types.ts';
import { type CheckRun, type CheckSubject, isAbout, useCheckRun } from './check-runs.ts';
import { checkQuery } from './queries.ts';
import { titleOf } from './results.ts';

interface ShownRun {
  /** The version or the candidate that was checked. */
  title: string;
  results: CaseResult[];
  /** The result of the run. Undefined while the run is in progress, and if the run was stopped. */
  summary: CheckSummary | undefined;
  isLoading: boolean;
  error: unknown;
}

export interface ShownRuns {
  run: ShownRun | undefined;
  against: ShownRun | undefined;
  choose: (next: { check?: string; against?: string }) => void;
}

/**
 * Returns the run to show and the run to compare it with. The URL can name both runs. Otherwise, the newest run of this tab or of the
 * prompt is shown. On the page of a candidate, only check runs of this candidate are shown by default.
 */
export function useShownRuns(prompt: Prompt, checks: CheckSummary[], subject?: CheckSubject): ShownRuns {
  const search = useSearch({ from: '/dashboard/prompts/$' });
  const navigate = useNavigate();
  const own = useCheckRun(prompt.id);
  const named = checks.find(({ id }) => id === search.check);
  const isOwn = !named && own !== undefined && (!subject || isAbout(own, subject)) && own.state !== 'done' && own.results.length > 0;
  const summary = isOwn ? undefined : (named ?? checks.find((run) => !subject || isAbout(run, subject)));
  const against = checks.find(({ id }) => id === search.against && id !== summary?.id);
  const loaded = useKeptRun(prompt.name, summary, own);
  const loadedAgainst = useKeptRun(prompt.name, against, own);
  return {
    run: isOwn ? { title: titleOf(own), results: own.results, summary: undefined, isLoading: false, error: undefined } : loaded,
    against: loadedAgainst,
    choose: (next) =>
      navigate({
        to: '/dashboard/prompts/$',
        params: { _splat: prompt.name },
        search: ({ candidate }) => ({ candidate, view: 'checks', ...next }),
        replace: true,
      }),
  };
}

function useKeptRun(promptName: string, summary: CheckSummary | undefined, own: CheckRun | undefined): ShownRun | undefined {
  const { data, error } = useQuery({ ...checkQuery(promptName, summary?.id ?? ''), enabled: summary !== undefined });
  if (!summary) return undefined;
  const results = data?.cases ?? (own?.summary?.id === summary.id ? own.results : []);
  return { title: titleOf(summary), results, summary, isLoading: !data && !error, error: error ?? undefined };
}
