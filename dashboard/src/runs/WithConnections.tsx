import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ModelConnection } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { connectionsQuery } from '../models/queries.ts';
import { Problem } from '../ui/Problem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { NoConnections } from './NoConnections.tsx';

/** Renders content that needs a model connection, or says why there is no connection. */
export function WithConnections({ children }: { children: (connections: ModelConnection[]) => ReactNode }) {
  const canRun = mayEdit(useWorkspace());
  const connections = useQuery({ ...connectionsQuery, enabled: canRun });
  if (!canRun || connections.data?.length === 0) return <NoConnections />;
  if (connections.data) return children(connections.data);
  return connections.isError ? <Problem error={connections.error} onRetry={() => connections.refetch()} /> : <Skeleton className="h-24" />;
}
