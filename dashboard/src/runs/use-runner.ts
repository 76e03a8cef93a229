import { useMemo, useSyncExternalStore } from 'react';
import type { Runner, RunState } from './runner.ts';

export function useRunState(runner: Runner): RunState {
  return useSyncExternalStore(runner.subscribe, runner.getState);
}

/** Returns the states of the runs in the columns of a comparison. */
export function useRunStates(columns: { runner: Runner }[]): RunState[] {
  const all = useMemo(() => combine(columns.map(({ runner }) => runner)), [columns]);
  return useSyncExternalStore(all.subscribe, all.getStates);
}

function combine(runners: Runner[]) {
  let last: RunState[] = [];
  return {
    subscribe(listener: () => void) {
      const ends = runners.map((runner) => runner.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    /** Returns the same list as long as nothing has changed. */
    getStates() {
      const next = runners.map((runner) => runner.getState());
      if (next.length !== last.length || next.some((state, index) => state !== last[index])) last = next;
      return last;
    },
  };
}
