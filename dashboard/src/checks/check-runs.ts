import { useSyncExternalStore } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { createChecks } from '../../../client/src/resources/models.ts';
import { messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { streams } from '../lib/streams.ts';
import type { CaseResult, CheckRequest, CheckSummary, Prompt } from '../lib/types.ts';

/** Checks that this tab runs, or has run since the page was loaded. */
export interface CheckRun {
  version: number;
  state: 'running' | 'done' | 'stopped' | 'failed';
  /** In the order in which the cases were done. */
  results: CaseResult[];
  /** How many cases there are, once the first is done. */
  total: number | undefined;
  /** Once all cases are done. */
  summary?: CheckSummary;
  /** Why it failed. */
  error?: string;
}

// Kept outside of components: leaving the tab or closing a dialog must not end what costs money to repeat.
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

/** Runs all cases of a prompt on a version. A prompt has one run at a time in this tab. */
export async function startChecks(prompt: Prompt, request: CheckRequest & { version: number }): Promise<void> {
  const { id, name } = prompt;
  if (runs.get(id)?.state === 'running') return;
  const controller = new AbortController();
  controllers.set(id, controller);
  set(id, { version: request.version, state: 'running', results: [], total: undefined });
  const change = (next: Partial<CheckRun>) => {
    const run = runs.get(id);
    if (run) set(id, { ...run, ...next });
  };
  try {
    let summary: CheckSummary | undefined;
    for await (const event of createChecks(streams).stream(name, request, { signal: controller.signal })) {
      if (event.type === 'done') summary = event.check;
      else change({ results: [...(runs.get(id)?.results ?? []), event.case], total: event.total });
    }
    await queryClient.invalidateQueries({ queryKey: ['prompts', 'checks', name] });
    change({ state: 'done', summary });
  } catch (err) {
    change(controller.signal.aborted ? { state: 'stopped' } : { state: 'failed', error: describeFailure(err) });
  }
}

function describeFailure(err: unknown): string {
  return err instanceof ApiError ? messageOf(err) : 'The service stopped before all test cases had run. Run the checks again.';
}

/** Ends the run, also on the server. Nothing of it is kept. */
export function stopChecks(promptId: string): void {
  controllers.get(promptId)?.abort();
}

function set(promptId: string, run: CheckRun): void {
  runs.set(promptId, run);
  for (const listener of listeners) listener();
}
