import { useQuery } from '@tanstack/react-query';
import { casesQuery } from '../cases/queries.ts';
import type { Case, CheckSummary, Prompt } from '../lib/types.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { checksQuery } from './queries.ts';

/** Whether a gated label may move to a version. */
export interface Gate {
  /** `none` if the label is not gated, or already points at the version. */
  state: 'none' | 'loading' | 'empty' | 'passed' | 'closed';
  cases: Case[];
  /** The check run that the version has passed, or otherwise its last run with the current test cases. */
  run: CheckSummary | undefined;
  /** The last check run of the version, even if the test cases have changed since. */
  last: CheckSummary | undefined;
  error: unknown;
}

/** Returns whether a gated label may move to a version. Rolling back to a version that the label pointed at before requires no checks. */
export function useGate(prompt: Prompt, label: string, version: number, wasThere: boolean): Gate {
  const isGated = useWorkspace().gatedLabels.includes(label) && prompt.labels[label] !== version && !wasThere;
  const cases = useQuery({ ...casesQuery(prompt.name), enabled: isGated });
  const checks = useQuery({ ...checksQuery(prompt.name, version), enabled: isGated });
  const current = checks.data?.filter((run) => run.current) ?? [];
  const passed = current.find(({ failed }) => failed === 0);
  return {
    state: stateOf({ isGated, cases: cases.data, checks: checks.data, hasPassed: passed !== undefined }),
    cases: cases.data ?? [],
    run: passed ?? current[0],
    last: checks.data?.[0],
    error: cases.error ?? checks.error ?? undefined,
  };
}

/** Returns the labels that a new version cannot get before it has passed the test cases. */
export function useGatedLabels(promptName: string, labels: string[]): string[] {
  const { gatedLabels } = useWorkspace();
  const gated = labels.filter((label) => gatedLabels.includes(label));
  const cases = useQuery({ ...casesQuery(promptName), enabled: gated.length > 0 });
  // While the test cases are loading, the prompt is assumed to have test cases, so the label moves in a second step, after the version is
  // saved.
  return cases.data?.length === 0 ? [] : gated;
}

interface Knowledge {
  isGated: boolean;
  cases: Case[] | undefined;
  checks: CheckSummary[] | undefined;
  hasPassed: boolean;
}

function stateOf({ isGated, cases, checks, hasPassed }: Knowledge): Gate['state'] {
  if (!isGated) return 'none';
  if (!cases || !checks) return 'loading';
  if (cases.length === 0) return 'empty';
  return hasPassed ? 'passed' : 'closed';
}
