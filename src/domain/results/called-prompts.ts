/** The maximum number of a workspace's prompts that wait for a comparison. Prompts beyond the limit are added with a later call. */
const maxPrompts = 1000;

/** The prompts whose deployed versions were called since they were last compared. */
export type CalledPrompts = ReturnType<typeof createCalledPrompts>;

export function createCalledPrompts() {
  let waiting = new Map<string, Set<string>>();
  return {
    add(workspaceId: string, promptId: string): void {
      const prompts = waiting.get(workspaceId) ?? new Set();
      waiting.set(workspaceId, prompts);
      if (prompts.size < maxPrompts) prompts.add(promptId);
    },

    /** Removes and returns all prompts by workspace. The workspaces and prompts that have waited longest come first. */
    takeAll(): Map<string, Set<string>> {
      const taken = waiting;
      waiting = new Map();
      return taken;
    },
  };
}
