import type { RunCount } from '../../store/statistics/usage-counts.ts';
import { otherMembers } from './call-counters.ts';
import { bucketOf } from './durations.ts';
import { createHourlyLimit } from './hourly-limit.ts';
import { toStoredText } from './render-errors.ts';
import { takeSorted } from './take-sorted.ts';

/** A request to a model, made with a key or in the dashboard. */
export interface CountedRun {
  workspaceId: string;
  /** The account that made the request. */
  accountId: string;
  model: string;
  hasFailed: boolean;
  durationMs: number;
  inputTokens: number;
  outputTokens: number;
  /** The cost in US dollars, or null if the model has no price. */
  cost: number | null;
}

interface RunCounterLimits {
  entries: number;
  runEntriesOfWorkspace: number;
}

/** Counts requests to models. Callers choose the names of models, so requests beyond a limit of names are counted without a name. */
export function createRunCounters(limits: RunCounterLimits) {
  const runs = new Map<string, RunCount>();
  const isAdmitted = createHourlyLimit(limits.runEntriesOfWorkspace);

  return {
    /** Counts a run in the hour `time`. Returns false if the run needs a new counter and the limit is reached. */
    count({ workspaceId, accountId, hasFailed, durationMs, ...run }: CountedRun, hour: number, time: string): boolean {
      const { inputTokens, outputTokens, cost } = run;
      const model = toStoredText(run.model);
      const isNamed = isAdmitted({ hour, owner: workspaceId, key: `${accountId}\n${model}` });
      const names = isNamed ? { memberId: accountId, model } : { memberId: otherMembers, model: '' };
      const source = { accountId: workspaceId, time, ...names, hasFailed: hasFailed ? 1 : 0, bucket: bucketOf(durationMs) };
      const key = Object.values(source).join('\n');
      const counter = runs.get(key) ?? { ...source, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 };
      if (counter.calls === 0 && runs.size >= limits.entries) return false;
      runs.set(key, counter);
      counter.calls += 1;
      counter.inputTokens += inputTokens;
      counter.outputTokens += outputTokens;
      counter.cost += cost ?? 0;
      if (cost === null && inputTokens + outputTokens > 0) counter.unpriced += 1;
      return true;
    },

    take: (max: number): RunCount[] => takeSorted(runs, max),

    get size() {
      return runs.size;
    },
  };
}
