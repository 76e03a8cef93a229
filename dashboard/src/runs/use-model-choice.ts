import { useState } from 'react';
import type { ModelConnection } from '../lib/types.ts';
import { initialChoice } from './initial-choice.ts';
import type { ModelChoice } from './run-input.ts';
import type { RunSession } from './use-run-session.ts';

/** Returns the model of the run next to the editor: the selected model, or otherwise the model in the current config. */
export function useModelChoice(session: RunSession, connections: ModelConnection[], configured: string) {
  const [chosen, setChosen] = useState(session.choice);
  const choose = (choice: ModelChoice) => {
    session.choice = choice;
    setChosen(choice);
  };
  return { choice: chosen ?? initialChoice(connections, configured), choose };
}
