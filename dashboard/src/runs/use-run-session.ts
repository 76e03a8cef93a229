import { useEffect, useState } from 'react';
import type { Column } from './columns.ts';
import type { ModelChoice } from './run-input.ts';
import type { Runner } from './runner.ts';

/** The runs of an open page. They stay while one looks at its other views, and end when it is left. */
export interface RunSession {
  runners: Set<Runner>;
  /** The run beside the editor, and the model it uses. */
  runner?: Runner;
  choice?: ModelChoice;
  columns?: Column[];
  /** How many requests to run beside the editor were seen. */
  handledRequests?: number;
}

export function useRunSession(): RunSession {
  const [session] = useState<RunSession>(() => ({ runners: new Set() }));
  useEffect(
    () => () => {
      for (const runner of session.runners) runner.stop();
    },
    [session],
  );
  return session;
}

/** Whether the run or the preview is shown beside the editor. */
export interface RunPlace {
  session: RunSession;
  isShown: boolean;
  show: (isShown: boolean) => void;
  /** Shows it and runs. */
  run: () => void;
  /** Goes up with each request to run. */
  requests: number;
}

export function useRunPlace(session: RunSession): RunPlace {
  const [isShown, show] = useState(false);
  const [requests, setRequests] = useState(0);
  const run = () => {
    show(true);
    setRequests((before) => before + 1);
  };
  return { session, isShown, show, run, requests };
}
