import type { StreamEvent } from '../../../client/src/events.ts';
import type { WorkspaceEvent } from '../../../client/src/types.ts';
import { refreshComments } from '../comments/queries.ts';
import { currentWorkspaceId } from '../lib/current-workspace.ts';
import { followEvents } from '../lib/event-stream.ts';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';
import { refreshWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { refreshNotifications } from '../notifications/queries.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { describeReleaseChange, findReleaseVerb } from '../releases/events.ts';
import { toast } from '../ui/toasts.ts';
import { refreshDeliveries } from '../webhooks/queries.ts';

/** The delay before a refetch. Events that arrive together, such as the events of one save, cause one refetch. */
const settleMs = 100;

/** Updates the page at once when others change something in the workspace. If the change concerns the open page, says who made it. */
export function showLiveUpdates(signal: AbortSignal): void {
  const userId = queryClient.getQueryData(sessionQuery.queryKey)?.userId;
  if (signal.aborted || userId === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const types = new Set<string>();
  const refresh = () => {
    timer = undefined;
    if (types.has('reset') || [...types].some(isAboutPrompts)) void refreshPrompts();
    if (types.has('reset') || [...types].some((type) => type.startsWith('member.'))) {
      void queryClient.invalidateQueries({ queryKey: ['members'] });
      void queryClient.invalidateQueries(workspacesQuery);
      void refreshNotifications();
    }
    if (types.has('reset') || [...types].some(changesProposals)) void queryClient.invalidateQueries({ queryKey: ['proposals'] });
    if (types.has('reset') || [...types].some(changesComments)) void refreshComments();
    void queryClient.invalidateQueries({ queryKey: ['activity'] });
    // Any event may have been sent to a webhook, so the deliveries are refetched too.
    void refreshDeliveries();
    types.clear();
  };
  const onEvent = (event: StreamEvent) => {
    if (event.type === 'hello') return;
    types.add(event.type);
    timer ??= setTimeout(refresh, settleMs);
    if (event.type === 'reset') return;
    const text = describe(event);
    if (text !== undefined && isByOthers(event) && isShown(event)) toast(text);
  };
  const onRefused = () => void refreshWorkspace();
  followEvents({ userId, workspaceId: currentWorkspaceId(), signal, onEvent, onRefused }).catch(() => clearTimeout(timer));
}

function isAboutPrompts(type: string): boolean {
  return /^(prompt|version|label|dependency|release)\./.test(type);
}

/**
 * Returns whether an event may change proposals. Their approvals depend on labels, label rules, candidates, test cases, releases and roles.
 */
function changesProposals(type: string): boolean {
  return /^(proposal|candidate|label|rules|release|prompt|member)\./.test(type);
}

/** Returns whether an event may change comments. Comments follow a candidate into its version, and are deleted with their subject. */
function changesComments(type: string): boolean {
  return /^(comment|candidate)\./.test(type) || type === 'version.deleted';
}

/**
 * Returns whether someone else caused an event. The user's own actions in the dashboard have separate messages. Events of the service
 * itself have no author.
 */
function isByOthers({ by, release }: WorkspaceEvent): boolean {
  return (
    by === undefined ||
    release?.automatic === true ||
    by.via === 'api' ||
    by.userId !== queryClient.getQueryData(sessionQuery.queryKey)?.userId
  );
}

/** Returns whether the open page shows the prompt. */
function isShown({ prompt }: WorkspaceEvent): boolean {
  const path = decodeURIComponent(location.pathname);
  return prompt !== undefined && path === `/dashboard/prompts/${prompt.name}`;
}

function describe({ type, by, version, label, from, to, metric, release }: WorkspaceEvent): string | undefined {
  const verb = findReleaseVerb(type);
  const who = release?.automatic ? 'The service' : by?.via === 'api' ? `${by.name} (via API)` : by?.name;
  if (type === 'version.created') return `${who} saved version ${version}.`;
  if (type === 'label.moved') return `${who} deployed version ${to} to ${label}.`;
  if (type === 'label.removed') return `${who} removed the label ${label}.`;
  if (verb) return `${who} ${describeReleaseChange(verb, { label, release })}.`;
  if (type === 'results.worsened') {
    return `Version ${version} at ${label} ${metric === 'p95' ? 'is slower' : 'fails more often'} than version ${from}.`;
  }
  if (type === 'prompt.deleted') return `${who} moved this prompt to the bin.`;
  return undefined;
}
