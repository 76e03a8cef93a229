import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { isOutage, reconnect } from './connection.ts';
import { currentWorkspaceId } from './current-workspace.ts';
import type { ErrorBody, FieldError } from './types.ts';

/** An error response. `status` is 0 if the server could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfterSeconds?: number) {
    super(body.error ?? 'Something went wrong');
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const readTimeoutMs = 30_000;

let onSessionLost = () => {};

/** Sets the listener for requests that are rejected because the session has ended. */
export function listenForLostSession(listener: () => void): void {
  onSessionLost = listener;
}

type RefusalListener = (error: ApiError, workspaceId: string | undefined) => void;
let onRefused: RefusalListener = () => {};

/** Sets the listener for errors of requests in a workspace. Returns a function that removes it. */
export function listenForRefusals(listener: RefusalListener): () => void {
  onRefused = listener;
  return () => {
    if (onRefused === listener) onRefused = () => {};
  };
}

export const switchedText = 'You switched to another workspace before this was done';

/** What concerns the user's own account, whatever the workspace. */
const ownAccountPath = /^\/api\/(?:auth|account|session|workspaces|invitations)(?:[/?]|$)/;

/** Calls the REST API in the current workspace, with the session cookie. The API key is never used here. */
export async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
  if (ownAccountPath.test(path)) return requestIn<T>(undefined, method, path, body);
  const workspaceId = currentWorkspaceId();
  const [outcome] = await Promise.allSettled([requestIn<T>(workspaceId, method, path, body)]);
  // What belongs to one workspace must not be shown in another, and what was started in one must not continue in another.
  if (workspaceId !== currentWorkspaceId()) throw new ApiError(409, { error: switchedText });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Calls the REST API in a workspace: without an id, in the user's own. */
export async function requestIn<T>(workspaceId: string | undefined, method: Method, path: string, body?: unknown): Promise<T> {
  // A write is never given up on: it may have been done.
  const signal = method === 'GET' ? AbortSignal.timeout(readTimeoutMs) : null;
  const result = send(
    workspaceId,
    { method, path, body, signal },
    // Not checked again: the server's responses follow the contract.
    async (response) => (response.status === 204 ? undefined : await response.json()) as T,
  );
  if (method !== 'GET') return result;
  reads.add(result);
  try {
    return await result;
  } finally {
    reads.delete(result);
  }
}

const reads = new Set<Promise<unknown>>();
const maxWaitMs = 2000;

/** Waits for all reads that are under way, but not long. */
export async function settleReads(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
  await Promise.race([Promise.allSettled(reads), late]);
}

/** Starts a request in the current workspace whose response is read as it arrives, until the signal is aborted. */
export function requestStream(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
  return send(currentWorkspaceId(), { method: 'POST', path, body, signal, accept: 'text/event-stream' }, async (response) => response);
}

interface Sent {
  method: Method;
  path: string;
  body: unknown;
  signal: AbortSignal | null;
  accept?: string;
}

async function send<T>(workspaceId: string | undefined, sent: Sent, read: (response: Response) => Promise<T>): Promise<T> {
  const { method, path, body, signal, accept } = sent;
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(accept !== undefined && { accept }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(workspaceId !== undefined && { [workspaceHeader]: workspaceId }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: 'same-origin',
      signal,
    });
    if (response.ok) return await read(response);
    throw await readError(response);
  } catch (err) {
    // Whoever aborts a stream knows why it ends.
    if (accept !== undefined && signal?.aborted) throw err;
    const error = err instanceof ApiError ? err : unreachable();
    report(error, workspaceId);
    throw error;
  }
}

/** Reads the error of a request that was sent without the functions above, and reports it to the listeners like theirs. */
export async function readRefusal(response: Response, workspaceId: string | undefined): Promise<ApiError> {
  const error = await readError(response);
  report(error, workspaceId);
  return error;
}

function report(error: ApiError, workspaceId: string | undefined): void {
  if (isOutage(error)) void reconnect();
  if (error.status === 401 && error.code === undefined) onSessionLost();
  onRefused(error, workspaceId);
}

function unreachable(): ApiError {
  return new ApiError(0, { error: 'Cannot reach the server. Check your connection and try again.', code: 'unreachable' });
}

async function readError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  // A proxy may respond with something other than our JSON; every field is optional.
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
  return new ApiError(response.status, body, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

/** The text to show for an error. */
export function messageOf(err: unknown): string {
  if (!(err instanceof ApiError)) return 'Something went wrong. Reload the page and try again.';
  if (err.status === 401 && err.code === undefined) return 'You were signed out. Sign in again, then repeat this.';
  if (err.status === 429 && err.retryAfterSeconds !== undefined) return `${err.message} (in ${err.retryAfterSeconds} s).`;
  const [fieldError] = err.details;
  return fieldError && err.code === 'invalid_input' ? fieldError.message : err.message;
}

/** The messages of an invalid input by field: both `/tags` and `/tags/0` become `tags`. */
export function errorsByField(err: unknown): Record<string, string> {
  if (!(err instanceof ApiError)) return {};
  return Object.fromEntries(
    err.details.flatMap(({ path, message }) => {
      const field = path.split('/')[1];
      return field ? [[field, message]] : [];
    }),
  );
}

/** The path of a prompt; the name is one segment. */
export function promptPath(name: string, rest = ''): string {
  // Also what encodeURIComponent leaves: in a snippet, a shell or a string literal would end at a quote.
  const segment = encodeURIComponent(name).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `/api/prompts/${segment}${rest}`;
}
