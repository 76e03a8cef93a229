import { type RegisteredRouter, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, messageOf } from '../lib/api.ts';
import { setCurrentWorkspace } from '../lib/current-workspace.ts';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Workspace } from '../lib/types.ts';
import { watchWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { dismissToasts, toast, toastFailure } from '../ui/toasts.ts';

/** Switches to another workspace and stays on the page, unless it is the page of a prompt that does not exist there. */
export function useSwitchWorkspace(): (workspace: Workspace) => Promise<void> {
  const router = useRouter();
  return useCallback(
    async ({ id, name }) => {
      const prompt = findPromptName(router);
      try {
        // Asked before switching, so that the page changes only once.
        const stays = prompt === undefined || (await hasPrompt(id, prompt));
        if (!stays) await router.navigate({ to: '/dashboard/prompts' });
        enterWorkspace(id);
        if (!stays) toast(`${prompt} does not exist in ${name}’s workspace.`);
      } catch (err) {
        toastFailure(isLost(err) ? lostText(name) : messageOf(err));
        if (isLost(err)) await queryClient.invalidateQueries(workspacesQuery);
      }
    },
    [router],
  );
}

/** Returns to the user's own workspace, with a message, when access to the current one has ended. */
export function useLeaveLostWorkspace(): void {
  const router = useRouter();
  useEffect(
    () =>
      watchWorkspace((lostId) => {
        const own = queryClient.getQueryData(sessionQuery.queryKey)?.userId;
        if (own === undefined) return;
        const lost = queryClient.getQueryData(workspacesQuery.queryKey)?.data.find(({ id }) => id === lostId);
        enterWorkspace(own);
        toastFailure(lostText(lost?.name));
        void queryClient.invalidateQueries(workspacesQuery);
        if (findPromptName(router) !== undefined) void router.navigate({ to: '/dashboard/prompts' });
      }),
    [router],
  );
}

/** The prompt whose page is open. */
function findPromptName(router: RegisteredRouter): string | undefined {
  const match = router.state.matches.find(({ routeId }) => routeId === '/dashboard/prompts/$');
  return match && '_splat' in match.params ? match.params._splat : undefined;
}

/** Starts anew in another workspace. */
export function enterWorkspace(id: string): void {
  void queryClient.cancelQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'own' });
  // What they offer to undo happened in the previous workspace.
  dismissToasts();
  setCurrentWorkspace(id);
}

async function hasPrompt(workspace: string, name: string): Promise<boolean> {
  const { data } = await call('listPrompts', { query: { name } }, { workspace });
  return data.length > 0;
}

function isLost(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'workspace_not_found';
}

function lostText(name: string | undefined): string {
  return `You no longer have access to ${name === undefined ? 'that' : `${name}’s`} workspace.`;
}
