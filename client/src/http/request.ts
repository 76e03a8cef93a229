import { linesMediaType } from '../../../src/contract/transfer-format.ts';
import { ConnectionError, createApiError, createForeignResponseError, describeError, PromptHarborError, TimeoutError } from '../errors.ts';
import type { ErrorBody, ResponseFields } from '../types.ts';
import { readText } from './read-text.ts';
import { parseRetryAfter, unref } from './timing.ts';

/** The last argument of every method. */
export interface RequestOptions {
  /** Cancels the request, even while it waits for its next attempt. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  workspace?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Called with the status and headers of the response. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
}

export interface ResponseInfo {
  status: number;
  headers: Headers;
  requestId: string | undefined;
}

export interface Request {
  method: string;
  /** The encoded path, without the base address. */
  path: string;
  query?: object | undefined;
  body?: unknown;
  /** The lines of JSON to send instead of a body. */
  lines?: string[] | undefined;
  /** Fields that every successful response has. A response without these fields is not from the service. */
  expects?: ResponseFields | undefined;
  /** Whether the response is text, such as CSV, which is returned as a string. Default: JSON, which is parsed. */
  isText?: boolean | undefined;
  /** Whether sending the request twice has the same effect as sending it once. Default: true for GET. */
  isRepeatable?: boolean | undefined;
  /** Whether the request can be sent without a key. */
  isPublic?: boolean | undefined;
  /** Whether the body is read later, so that the caller's signal must still be able to cancel it. */
  isStream?: boolean | undefined;
  /** Whether the process may exit while the request is in progress. */
  isBackground?: boolean | undefined;
}

/** Sends requests. */
export interface Sender {
  /** Returns the parsed body of the response, or undefined for 204. */
  send(request: Request, options?: RequestOptions): Promise<unknown>;
  /** Returns the response with its body unread, for streams. The timeout applies only until the headers arrive. */
  open(request: Request, options?: RequestOptions): Promise<Response>;
}

/** The settings of one attempt. */
export interface AttemptOptions extends Pick<RequestOptions, 'signal' | 'headers' | 'onResponse'> {
  baseUrl: string;
  fetch: typeof fetch;
  timeoutMs: number;
}

/** The maximum size of a response. This limit is far larger than any response of the service, whose pages have a few megabytes at most. */
const maxResponseBytes = 64 * 1024 * 1024;

/** Sends a request once. `read` throws for every status that it does not handle. */
export async function attempt<T>(request: Request, options: AttemptOptions, read: (response: Response) => Promise<T>): Promise<T> {
  const { method, path, query, body, lines, isStream, isBackground } = request;
  const limit = createTimeLimit(options.timeoutMs, options.signal);
  if (isBackground) limit.unref();
  try {
    const response = await options.fetch(`${options.baseUrl}${path}${formatQuery(query)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(lines && { 'content-type': linesMediaType }),
        ...options.headers,
      },
      signal: limit.signal,
      // A redirected POST would become a GET, and the key would be sent to the target of the redirect.
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(lines && { body: lines.join('\n') }),
    });
    options.onResponse?.({ status: response.status, headers: response.headers, requestId: requestIdOf(response) });
    const result = await read(response);
    limit.end({ keepsSignal: isStream });
    return result;
  } catch (err) {
    limit.end();
    throw limit.explain(err, options.baseUrl);
  }
}

/** Returns the response if it is a success. */
export async function expectSuccess(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { status } = response;
  const location = response.headers.get('location');
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && location !== null)) {
    await response.body?.cancel();
    throw createApiError(`The service redirects to ${location ?? 'another address'}. Set baseUrl to that address.`, { status });
  }
  const body = parseErrorBody(await readText(response, maxResponseBytes));
  throw createApiError(describeError(body, status), {
    status,
    code: body?.code ?? (status === 401 && body ? 'unauthorized' : undefined),
    details: body?.details,
    warnings: body?.warnings,
    proposal: body?.proposal,
    requestId: requestIdOf(response),
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
  });
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isError = typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
    // All errors of the service have this format. Errors of a proxy are rarely JSON with `error`.
    return isError ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the body of a success, which is parsed unless it is text, or undefined for 204. */
export async function readBody(response: Response, { isText = false }: Pick<Request, 'isText'> = {}): Promise<unknown> {
  await expectSuccess(response);
  if (response.status === 204) return undefined;
  const text = await readText(response, maxResponseBytes);
  if (isText) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw createForeignResponseError('The response is not JSON');
  }
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined;
}

function formatQuery(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Creates a signal that aborts after a timeout or with the caller's signal, and records which of the two was the reason. */
function createTimeLimit(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let isTimedOut = false;
  const timer = setTimeout(
    () => {
      isTimedOut = true;
      controller.abort();
    },
    // The maximum delay of a timer in Node. A timer with a longer delay would fire at once.
    Math.min(timeoutMs, 2 ** 31 - 1),
  );
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    unref: () => unref(timer),
    end({ keepsSignal = false } = {}) {
      clearTimeout(timer);
      if (!keepsSignal) outer?.removeEventListener('abort', abort);
    },
    /** Converts an error thrown by `fetch` to the error that the caller should see. */
    explain(err: unknown, baseUrl: string): unknown {
      if (outer?.aborted) return outer.reason;
      if (isTimedOut) return new TimeoutError(`${baseUrl} did not respond within ${timeoutMs} ms`, { cause: err });
      if (err instanceof PromptHarborError) return err;
      return new ConnectionError(`${baseUrl} cannot be reached`, { cause: err });
    },
  };
}
