import { ApiError, ConnectionError, createForeignResponseError, PromptHarborError, TlsError } from '../errors.ts';
import { parseKey, type Settings } from '../options.ts';
import type { ResponseFields } from '../types.ts';
import { version } from '../version.ts';
import { mayRetry } from './may-retry.ts';
import { attempt, expectSuccess, type Request, type RequestOptions, readBody, type Sender } from './request.ts';
import { retryDelay, wait } from './timing.ts';
import { describeTlsProblem } from './tls.ts';

/** Sends requests with the key, and retries them if that is safe. */
export interface Transport extends Sender {
  readonly settings: Settings;
  setApiKey(key: string): void;
  /** Returns a function that removes the listener. */
  onKeyChange(listener: () => void): () => void;
  /** Returns the response. The status 304 is not an error. */
  sendConditional(request: Request, etag: string | undefined, options?: RequestOptions): Promise<ConditionalResponse>;
}

export type ConditionalResponse = { isUnchanged: true } | { isUnchanged: false; body: unknown; etag: string | undefined };

/** If the service asks for a longer pause than this, the caller gets the error instead of waiting. */
const maxRetryAfterMs = 60_000;

export function createTransport(settings: Settings): Transport {
  let { apiKey } = settings;
  const keyListeners = new Set<() => void>();

  async function headersOf({ isPublic }: Request, options: RequestOptions): Promise<Record<string, string>> {
    const workspace = options.workspace ?? settings.workspace;
    const key = typeof apiKey === 'function' ? parseKey(await apiKey()) : apiKey;
    if (key === undefined && !isPublic) throw new PromptHarborError('There is no API key. Pass apiKey, or set PROMPTHARBOR_API_KEY.');
    return {
      'user-agent': `promptharbor-client/${version}`,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(workspace !== undefined && { 'promptharbor-workspace': workspace }),
      ...settings.headers,
      ...options.headers,
    };
  }

  async function attemptRepeatedly<T>(request: Request, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const { retries = settings.retries, timeoutMs = settings.timeoutMs } = options;
    for (let count = 0; ; count += 1) {
      try {
        const headers = await headersOf(request, options);
        return await attempt(request, { ...settings, ...options, timeoutMs, headers }, read);
      } catch (thrown) {
        const err = explainTls(thrown, settings.baseUrl);
        if (count >= retries || options.signal?.aborted || !mayRetry(err, request)) throw err;
        if (err instanceof ApiError && (err.retryAfterMs ?? 0) > maxRetryAfterMs) throw err;
        await wait(retryDelay(err, count), options.signal);
      }
    }
  }

  return {
    settings,
    setApiKey(key) {
      apiKey = parseKey(key);
      for (const listener of keyListeners) listener();
    },
    onKeyChange(listener) {
      keyListeners.add(listener);
      return () => void keyListeners.delete(listener);
    },

    send: (request, options = {}) => attemptRepeatedly(request, options, (response) => readExpected(response, request)),

    open: (request, options = {}) => attemptRepeatedly({ ...request, isStream: true }, options, expectSuccess),

    sendConditional: (request, etag, options = {}) => {
      const headers = { ...options.headers, ...(etag !== undefined && { 'if-none-match': etag }) };
      return attemptRepeatedly(request, { ...options, headers }, async (response): Promise<ConditionalResponse> => {
        if (response.status === 304) return { isUnchanged: true };
        return { isUnchanged: false, body: await readExpected(response, request), etag: response.headers.get('etag') ?? undefined };
      });
    },
  };
}

/** Returns the body of a response that is from the service. Throws for any other response. */
async function readExpected(response: Response, { expects, isText }: Request): Promise<unknown> {
  const body = await readBody(response, { isText });
  const missing = expects && findMissing(body, expects);
  if (missing === undefined) return body;
  throw createForeignResponseError(`The response has no valid "${missing}"`);
}

/**
 * Returns an expected field that a response does not have. The field `data` counts only if it is a list whose items have the expected
 * fields.
 */
function findMissing(body: unknown, { fields, items = [] }: ResponseFields): string | undefined {
  return fields.find((name) => !hasField(body, name) || (name === 'data' && !isList(body.data, items)));
}

function isList(data: unknown, fields: readonly string[]): boolean {
  return Array.isArray(data) && data.every((item) => fields.every((name) => hasField(item, name)));
}

function hasField(value: unknown, name: string): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, name) && value[name] !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Explains a TLS error. This is not part of `attempt`, which also runs in browsers, where the cause of an error is unknown. */
function explainTls(err: unknown, baseUrl: string): unknown {
  const problem = err instanceof ConnectionError ? describeTlsProblem(err.cause, baseUrl) : undefined;
  return problem === undefined ? err : new TlsError(problem, { cause: err });
}
