export interface Fault {
  path: string;
  message: string;
  line?: number;
  column?: number;
}

/** An answer that says no. `status` 0: there was no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: Fault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    body: { error?: string | undefined; code?: string | undefined; details?: Fault[] | undefined },
    retryAfterSeconds?: number,
  ) {
    super(body.error ?? 'Something went wrong');
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

let onSessionLost = () => {};

/** Who is to hear that a request was refused because nobody is signed in any more. */
export function listenForLostSession(listener: () => void): void {
  onSessionLost = listener;
}

/** One call of the REST API by session cookie. The API key is never used here. */
export async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  // The one cast at the edge: the server's own contract holds these shapes.
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;

  const error = await readError(answer);
  if (error.status === 401 && error.code === undefined) onSessionLost();
  throw error;
}

async function send(method: Method, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: 'same-origin',
    });
  } catch {
    throw new ApiError(0, { error: 'The server cannot be reached. Check your connection and try again.', code: 'unreachable' });
  }
}

async function readError(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const body: unknown = await answer.json().catch(() => ({}));
  return new ApiError(answer.status, body as ConstructorParameters<typeof ApiError>[1], Number.isNaN(retryAfter) ? undefined : retryAfter);
}

/** What to tell a person about a failure. */
export function messageOf(err: unknown): string {
  if (!(err instanceof ApiError)) return 'Something went wrong. Reload the page and try again.';
  if (err.status === 429 && err.retryAfterSeconds !== undefined) return `${err.message} (in ${err.retryAfterSeconds} s).`;
  const [fault] = err.details;
  return fault && err.code === 'invalid_input' ? fault.message : err.message;
}

/** The messages of an invalid input by field: `/email` becomes `email`. */
export function faultsByField(err: unknown): Record<string, string> {
  if (!(err instanceof ApiError)) return {};
  return Object.fromEntries(err.details.map(({ path, message }) => [path.slice(1), message]));
}

/** A prompt's name as one segment of a path. */
export function promptPath(name: string, rest = ''): string {
  return `/api/prompts/${encodeURIComponent(name)}${rest}`;
}
