import { useState } from 'react';
import type { ModelConnection } from '../lib/types.ts';
import { initialChoice } from './initial-choice.ts';
import type { ModelChoice } from './run-input.ts';
import type { RunSession } from './use-run-session.ts';

/** The model of the run beside the editor: what was chosen, or else what the config says at the moment. */
export function useModelChoice(session: RunSession, connections: ModelConnection[], configured: string) {
  const [chosen, setChosen] = useState(session.choice);
  const choose = (choice: ModelChoice) => {
    session.choice = choice;
    setChosen(choice);
  };
  return { choice: chosen ?? initialChoice(connections, configured), choose };
}
