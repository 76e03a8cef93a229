import type { ErrorBody } from './types.ts';

/** The base class of all errors of this package. */
export class PromptHarborError extends Error {
  override name = 'PromptHarborError';
}

/** The service could not be reached, or the connection ended before the response was complete. */
export class ConnectionError extends PromptHarborError {
  override name = 'ConnectionError';
}

/** There was no complete response within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** No secure connection could be established, for example because the certificate is not trusted. The message says what to do. */
export class TlsError extends ConnectionError {
  override name = 'TlsError';
}

/** Ends every message about a response that the service would never send. */
const checkAddress = 'Is this the address of a PromptHarbor service?';

/** Creates the error for a response from something other than the service, perhaps because the address is wrong. */
export function createForeignResponseError(text: string): PromptHarborError {
  return new PromptHarborError(`${text}. ${checkAddress}`);
}

export interface ApiErrorInit {
  status: number;
  code?: string | undefined;
  details?: ErrorBody['details'] | undefined;
  warnings?: ErrorBody['warnings'] | undefined;
  proposal?: ErrorBody['proposal'] | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** The service responded with an error. */
export class ApiError extends PromptHarborError {
  override name = 'ApiError';
  readonly status: number;
  /** A stable code such as `prompt_not_found`. Undefined if the response is not from the service, for example from a proxy. */
  readonly code: string | undefined;
  /** The invalid fields of the input. */
  readonly details: NonNullable<ErrorBody['details']>;
  /** The problems that the change would cause, if the code is `has_warnings`. */
  readonly warnings: NonNullable<ErrorBody['warnings']>;
  /**
   * The proposal that you can open with `proposals.open`, if the code is `approval_required`. Undefined if the change cannot be proposed as
   * it is.
   */
  readonly proposal: ErrorBody['proposal'] | undefined;
  /** The `x-request-id` of the response, which is also in the log of the service. */
  readonly requestId: string | undefined;
  /** The time that the service asks you to wait before the next request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, code, details, warnings, proposal, requestId, retryAfterMs }: ApiErrorInit) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details ?? [];
    this.warnings = warnings ?? [];
    this.proposal = proposal;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400, 413 or 415: the request is not valid. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}

/** 401: the key is missing, unknown or was reset, or the email or password is wrong. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the role does not allow this, or a quota has been reached. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}

/** 404: something that the request names does not exist. `code` says what it is. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the request conflicts with the current state, for example because someone else saved a newer version. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 422: the prompt cannot be rendered with these variables. */
export class RenderError extends ApiError {
  override name = 'RenderError';
}

/** 429: too many requests or failed attempts. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: the service failed or is busy. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const classes: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: RenderError,
  429: RateLimitError,
};

/** Returns an error of the class that belongs to the status. */
export function createApiError(message: string, init: ApiErrorInit): ApiError {
  const Class = classes[init.status] ?? (init.status >= 500 ? ServerError : ApiError);
  return new Class(message, init);
}

/** Returns the text of an error response, with the invalid fields. */
export function describeError(body: ErrorBody | undefined, status: number): string {
  if (!body) return `The response has the status ${status} and is not from PromptHarbor`;
  if (status === 401 && body.error === 'Unauthorized') return 'Unauthorized: the API key is unknown or was reset';
  const details = (body.details ?? []).map(({ path, message }) => `${path}: ${message}`);
  return details.length > 0 && body.code === 'invalid_input' ? `${body.error}: ${details.join('; ')}` : body.error;
}
