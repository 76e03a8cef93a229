import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelConnection } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { connectionsQuery } from '../models/queries.ts';
import { initialChoice } from './initial-choice.ts';
import { writeLastConnection } from './last-connection.ts';
import type { ModelChoice } from './run-input.ts';
import type { RunSession } from './use-run-session.ts';

/** The connections that the user may run on. Undefined until they are loaded. */
export function useConnections(): ModelConnection[] | undefined {
  const canRun = mayEdit(useWorkspace());
  const { data } = useQuery({ ...connectionsQuery, enabled: canRun });
  return canRun ? data : [];
}

/** The model of the run beside the editor: what was chosen, or what the config says. */
export function useModelChoice(session: RunSession, connections: ModelConnection[], configured: string) {
  const [chosen, setChosen] = useState(session.choice);
  const choose = (choice: ModelChoice) => {
    session.choice = choice;
    setChosen(choice);
    writeLastConnection(choice.connection);
  };
  return { choice: chosen ?? initialChoice(connections, configured), choose };
}
