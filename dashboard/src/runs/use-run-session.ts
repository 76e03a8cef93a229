import { useEffect, useState } from 'react';
import type { Column } from './columns.ts';
import type { Conversation } from './conversation.ts';
import type { ModelChoice } from './run-input.ts';
import type { Runner } from './runner.ts';

/** The runs of an open page. The runs continue while the user looks at other views, and end when the user leaves the page. */
export interface RunSession {
  runners: Set<Runner>;
  /** The run next to the editor, and its model. */
  runner?: Runner;
  choice?: ModelChoice;
  /** The conversation that the run is part of. */
  conversation?: Conversation;
  columns?: Column[];
  /** How many of the user's requests for a run the panel next to the editor has already handled. See `RunPlace.requests`. */
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

/** The place next to the editor, which shows either the run or the preview. */
export interface RunPlace {
  session: RunSession;
  isShown: boolean;
  show: (isShown: boolean) => void;
  /** Shows the run next to the editor and starts it. */
  run: () => void;
  /** How often the user has asked for a run so far. */
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
