import { type RegisteredRouter, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, messageOf } from '../lib/api.ts';
import { startIn } from '../lib/current-workspace.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Workspace } from '../lib/types.ts';
import { titleOf, workspacesQuery } from '../lib/workspace.ts';
import { dismissToasts, toast, toastFailure } from '../ui/toasts.ts';

/** Switches to another workspace and stays on the page, unless it is the page of a prompt that does not exist there. */
export function useSwitchWorkspace(): (workspace: Workspace) => Promise<void> {
  const router = useRouter();
  const enter = useEnterWorkspace();
  return useCallback(
    async (workspace) => {
      const prompt = findPromptName(router);
      try {
        // The prompt is looked up before switching, so that the page changes only once.
        const stays = prompt === undefined || (await hasPrompt(workspace.id, prompt));
        await enter(workspace.id, stays ? '.' : '/dashboard/prompts');
        if (!stays) toast(`${prompt} does not exist in ${titleOf(workspace)}.`);
      } catch (err) {
        toastFailure(isLost(err) ? lostText(workspace) : messageOf(err));
        if (isLost(err)) await queryClient.invalidateQueries(workspacesQuery);
      }
    },
    [router, enter],
  );
}

/** Returns a function that opens another workspace, on this page or another page. New tabs also start in that workspace. */
export function useEnterWorkspace(): (id: string, to: '.' | '/dashboard/prompts') => Promise<void> {
  const { navigate } = useRouter();
  return useCallback(
    async (id, to) => {
      void queryClient.cancelQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'own' });
      // The messages are removed, because they offer to undo actions in the previous workspace.
      dismissToasts();
      startIn(id);
      await navigate({ to, search: (search: object) => ({ ...(to === '.' && search), workspace: id }) });
    },
    [navigate],
  );
}

/** Finds the prompt whose page is open. */
export function findPromptName(router: RegisteredRouter): string | undefined {
  const match = router.state.matches.find(({ routeId }) => routeId === '/dashboard/prompts/$');
  return match && '_splat' in match.params ? match.params._splat : undefined;
}

async function hasPrompt(workspace: string, name: string): Promise<boolean> {
  const { data } = await call('listPrompts', { query: { name } }, { workspace });
  return data.length > 0;
}

function isLost(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'workspace_not_found';
}

export function lostText(workspace: Workspace): string {
  return `You no longer have access to ${titleOf(workspace)}.`;
}
