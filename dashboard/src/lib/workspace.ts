import { queryOptions, useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '../../../src/contract/roles.ts';
import { ApiError, request } from './api.ts';
import { queryClient } from './query-client.ts';

/** The workspace and what the user may do in it. */
interface Workspace {
  role: Role;
  /** The labels that only deployers and up may move. */
  protectedLabels: string[];
}

/** Until it is loaded. The server decides anyway, so nothing is locked too early. */
const unknownWorkspace: Workspace = { role: 'deployer', protectedLabels: [] };

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async (): Promise<Workspace> => {
    try {
      const [{ protectedLabels }, { data }] = await Promise.all([
        request<{ protectedLabels: string[] }>('GET', '/api/workspace'),
        request<{ data: { role: Role }[] }>('GET', '/api/workspaces'),
      ]);
      return { role: data[0]?.role ?? unknownWorkspace.role, protectedLabels };
    } catch (err) {
      if (err instanceof ApiError && err.status === 404) return unknownWorkspace;
      throw err;
    }
  },
});

export function useWorkspace(): Workspace {
  return useQuery(workspaceQuery).data ?? unknownWorkspace;
}

/** Whether the user may move a label, which takes the role of a deployer if the label is protected. */
export function mayMove({ role, protectedLabels }: Workspace, label: string): boolean {
  return !protectedLabels.includes(label) || includesRole(role, 'deployer');
}

export function mayProtect({ role }: Workspace): boolean {
  return includesRole(role, 'admin');
}

/** Protects a label, or ends that. */
export async function protectLabel(label: string, isProtected: boolean): Promise<void> {
  // Read again, because another admin may have changed the list.
  const { protectedLabels } = await queryClient.fetchQuery({ ...workspaceQuery, staleTime: 0 });
  const others = protectedLabels.filter((each) => each !== label);
  await request('PATCH', '/api/workspace', { protectedLabels: isProtected ? [...others, label] : others });
  await queryClient.invalidateQueries(workspaceQuery);
}
