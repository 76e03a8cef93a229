import { useSyncExternalStore } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { createChecks } from '../../../client/src/resources/models.ts';
import { messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { streams } from '../lib/streams.ts';
import type { Candidate, CaseResult, CheckRequest, CheckSummary, Prompt } from '../lib/types.ts';

/** A check run of this tab, which is in progress or ended after the page was loaded. */
export interface CheckRun extends Pick<CheckSummary, 'version' | 'candidate'> {
  state: 'running' | 'done' | 'stopped' | 'failed';
  /** The results, in the order in which the test cases finished. */
  results: CaseResult[];
  /** The number of test cases. Known once the first test case has finished. */
  total: number | undefined;
  /** The result, which is set once all test cases have finished. */
  summary?: CheckSummary;
  /** The reason why the check run failed. */
  error?: string;
}

// The check runs are stored outside components, because a run costs money to repeat and must not end when the user leaves the view or
// closes a dialog.
const runs = new Map<string, CheckRun>();
const controllers = new Map<string, AbortController>();
const listeners = new Set<() => void>();

export function useCheckRun(promptId: string): CheckRun | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => runs.get(promptId),
  );
}

/** The content on which test cases run: a version or a candidate. */
export type CheckSubject = { version: number } | { candidate: Pick<Candidate, 'id' | 'title' | 'revision'> };

/** Runs all test cases of a prompt. In this tab, a prompt has at most one check run at a time. */
export async function startChecks(
  prompt: Prompt,
  { subject, ...request }: Pick<CheckRequest, 'connection' | 'model'> & { subject: CheckSubject },
): Promise<void> {
  const { id, name } = prompt;
  if (runs.get(id)?.state === 'running') return;
  const controller = new AbortController();
  controllers.set(id, controller);
  set(id, { version: null, ...subject, state: 'running', results: [], total: undefined });
  const change = (next: Partial<CheckRun>) => {
    const run = runs.get(id);
    if (run) set(id, { ...run, ...next });
  };
  try {
    let summary: CheckSummary | undefined;
    for await (const event of createChecks(streams).stream(name, { ...request, ...toRequest(subject) }, { signal: controller.signal })) {
      if (event.type === 'done') summary = event.check;
      else change({ results: [...(runs.get(id)?.results ?? []), event.case], total: event.total });
    }
    await queryClient.invalidateQueries({ queryKey: ['prompts', 'checks', name] });
    change({ state: 'done', summary });
  } catch (err) {
    change(controller.signal.aborted ? { state: 'stopped' } : { state: 'failed', error: describeFailure(err) });
  }
}

function toRequest(subject: CheckSubject): CheckRequest {
  return 'version' in subject ? subject : { candidate: subject.candidate.id };
}

/** Returns whether a check run is about this version or candidate. */
export function isAbout({ version, candidate }: Pick<CheckSummary, 'version' | 'candidate'>, subject: CheckSubject): boolean {
  return 'version' in subject ? version === subject.version : candidate?.id === subject.candidate.id;
}

function describeFailure(err: unknown): string {
  return err instanceof ApiError ? messageOf(err) : 'The service stopped before all test cases had run. Run the checks again.';
}

/** Stops the check run in this tab and on the server. The server stores no results of a stopped run. */
export function stopChecks(promptId: string): void {
  controllers.get(promptId)?.abort();
}

function set(promptId: string, run: CheckRun): void {
  runs.set(promptId, run);
  for (const listener of listeners) listener();
}
