import { ApiError, createApiError } from '../../../client/src/errors.ts';
import { createCall } from '../../../client/src/http/operations.ts';
import { attempt, expectSuccess, type Request, type RequestOptions, readBody, type Sender } from '../../../client/src/http/request.ts';
import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { isOutage, reconnect } from './connection.ts';
import { currentWorkspaceId } from './current-workspace.ts';

const readTimeoutMs = 30_000;
const unreachableText = 'Cannot reach the server. Check your connection and try again.';
export const switchedText = 'You switched workspaces before this finished';

let onSessionLost = () => {};

/** Sets the listener for requests that are rejected because the session has ended. */
export function listenForLostSession(listener: () => void): void {
  onSessionLost = listener;
}

type RefusalListener = (error: ApiError, workspaceId: string | undefined) => void;
let onRefused: RefusalListener = () => {};

/** Sets the listener for errors of requests in a workspace. Returns a function that removes the listener. */
export function listenForRefusals(listener: RefusalListener): () => void {
  onRefused = listener;
  return () => {
    if (onRefused === listener) onRefused = () => {};
  };
}

/**
 * Sends requests by the rules of the dashboard, with the session cookie. The API key is never used here. If a request fails, throws an
 * ApiError that says why.
 */
export const sender: Sender = {
  async send(request, options = {}) {
    if (readsStopped && request.method === 'GET') throw createApiError('You are signing out', { status: 401, code: 'signing_out' });
    const workspaceId = currentWorkspaceId();
    const [outcome] = await Promise.allSettled([track(request, sendOnce(request, options, readBody))]);
    const isInCurrent = options.workspace === undefined && !isAboutAccount(request);
    // Data of one workspace must not be shown in another, and an operation started in one must not continue in another.
    if (isInCurrent && workspaceId !== currentWorkspaceId()) throw createApiError(switchedText, { status: 409 });
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  },
  open: (request, options = {}) => sendOnce({ ...request, isStream: true }, options, expectSuccess),
};

/** Calls an operation of the REST API in the current workspace, or in the workspace that the options name. */
export const call = createCall(sender);

async function sendOnce<T>(request: Request, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
  const workspace = options.workspace ?? (isAboutAccount(request) ? undefined : currentWorkspaceId());
  const headers = { ...(workspace !== undefined && { [workspaceHeader]: workspace }), ...options.headers };
  // A write has no timeout, because the server may already have carried it out.
  const timeoutMs = options.timeoutMs ?? (request.method === 'GET' ? readTimeoutMs : Number.POSITIVE_INFINITY);
  try {
    return await attempt(request, { ...options, baseUrl: '', fetch: (input, init) => fetch(input, init), timeoutMs, headers }, read);
  } catch (err) {
    // A caller that aborts a request knows why it failed.
    if (options.signal?.aborted) throw err;
    // A redirect has no status here. Redirects come from something in front of the server, such as a proxy with a sign-in page.
    const error = err instanceof ApiError && err.status !== 0 ? err : createUnreachableError(unreachableText);
    report(error, request, workspace);
    throw error;
  }
}

/** Returns whether the request concerns the user's account instead of a workspace. */
function isAboutAccount({ path }: Request): boolean {
  return /^\/api\/(?:auth|account|session|workspaces|invitations)(?:\/|$)/.test(path);
}

function report(error: ApiError, { isBackground }: Request, workspaceId: string | undefined): void {
  // A lost event stream alone is not reported as an outage. If the server is unreachable, the page's next request detects it.
  if (isOutage(error) && !(isBackground && error.status === 0)) void reconnect();
  if (isSignedOut(error)) onSessionLost();
  onRefused(error, workspaceId);
}

/** Returns the error for a request without a complete response. Its `status` is 0. */
export function createUnreachableError(message: string): ApiError {
  return createApiError(message, { status: 0, code: 'unreachable' });
}

const reads = new Set<Promise<unknown>>();
const maxWaitMs = 2000;

async function track<T>({ method }: Request, result: Promise<T>): Promise<T> {
  if (method === 'GET') reads.add(result);
  try {
    return await result;
  } finally {
    reads.delete(result);
  }
}

let readsStopped = false;

/** Rejects reads that start from now on, and waits a short time for the reads in progress. Returns a function that allows reads again. */
export async function stopReads(): Promise<() => void> {
  readsStopped = true;
  const late = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
  await Promise.race([Promise.allSettled(reads), late]);
  return () => {
    readsStopped = false;
  };
}

/** Returns whether the session has ended. Other errors with this status concern the input, such as a wrong password. */
function isSignedOut({ status, code = 'unauthorized' }: ApiError): boolean {
  return status === 401 && code === 'unauthorized';
}

/** Returns the text to show for an error. */
export function messageOf(err: unknown): string {
  if (!(err instanceof ApiError)) return 'Something went wrong. Reload the page and try again.';
  if (isSignedOut(err)) return 'You were signed out. Sign in and try again.';
  if (err.status === 429 && err.retryAfterMs !== undefined) return `${err.message} (in ${Math.ceil(err.retryAfterMs / 1000)} s).`;
  const [fieldError] = err.details;
  return fieldError && err.code === 'invalid_input' ? fieldError.message : err.message;
}

/** Returns the messages about an invalid input by field. Both `/tags` and `/tags/0` become `tags`. */
export function errorsByField(err: unknown): Record<string, string> {
  if (!(err instanceof ApiError)) return {};
  return Object.fromEntries(
    err.details.flatMap(({ path, message }) => {
      const field = path.split('/')[1];
      return field ? [[field, message]] : [];
    }),
  );
}
