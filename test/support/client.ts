import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON body. Undefined if the response has no JSON body. */
  body: unknown;
  text: string;
}

export interface RequestOptions {
  key?: string;
  cookie?: string;
  body?: unknown;
  /** The text to send unchanged instead of a `body`. */
  text?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How often to retry a request that was refused because the service is busy. */
  retries?: number;
}

/** Sends an HTTP request, with `body` as JSON and `key` as the bearer token. */
export async function call(service: { url: string }, method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
  const { retries = 20, ...request } = options;
  const response = await send(service, method, path, request);
  const isBusy = response.status === 503 && (response.body as { code?: string } | undefined)?.code === 'overloaded';
  if (!isBusy || retries === 0) return response;
  await delay(500);
  return call(service, method, path, { ...request, retries: retries - 1 });
}

async function send(service: { url: string }, method: string, path: string, options: RequestOptions): Promise<ApiResponse> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.key !== undefined) headers.authorization = `Bearer ${options.key}`;
  if (options.cookie !== undefined) headers.cookie = options.cookie;
  if (options.body !== undefined) headers['content-type'] ??= 'application/json';
  const response = await fetch(service.url + path, {
    method,
    headers,
    body: options.text ?? (options.body === undefined ? null : JSON.stringify(options.body)),
    redirect: 'manual',
    signal: options.signal ?? null,
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text };
}

export interface TestAccount {
  email: string;
  password: string;
  token: string;
  userId: string;
}

let accounts = 0;

/** Registers a new account, so that tests do not see each other's data. */
export async function register(service: { url: string }, given: { email?: string; password?: string } = {}): Promise<TestAccount> {
  accounts += 1;
  const email = given.email ?? `user${accounts}-${process.pid}@example.com`;
  const password = given.password ?? 'a long enough password';
  const { status, body } = await call(service, 'POST', '/api/auth/register', { body: { email, password } });
  assert.equal(status, 201, JSON.stringify(body));
  const { token, userId } = body as { token: string; userId: string };
  return { email, password, token, userId };
}

/** Signs in as a browser on the service's pages would, and returns the cookie to send. */
export async function signIn(service: { url: string }, { email, password }: { email: string; password: string }): Promise<string> {
  const response = await call(service, 'POST', '/api/session/sign-in/email', {
    body: { email, password },
    headers: { origin: service.url },
  });
  assert.equal(response.status, 200, response.text);
  return cookieOf(response);
}

/** Returns the session's cookie. */
export function cookieOf(response: ApiResponse): string {
  return findCookie(response, 'promptharbor.session') ?? '';
}

/** Returns the cookie by which the service recognizes a browser at its next sign-in. */
export function deviceCookieOf(response: ApiResponse): string {
  return findCookie(response, 'promptharbor.device') ?? '';
}

function findCookie({ headers }: ApiResponse, name: string): string | undefined {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .find((cookie) => cookie.startsWith(`${name}=`) || cookie.startsWith(`__Host-${name}=`));
}
