import { AppError, type ErrorCode } from '../../errors.ts';

/** Returns the body of an error in the shape that Langfuse's SDKs expect. */
export function toLangfuseBody({ code, status, message, details }: AppError): string {
  if (code === 'invalid_input' && details) return JSON.stringify({ message: 'Invalid request data', error: details.map(toIssue) });
  return JSON.stringify({ message: code === 'unauthorized' ? wrongKey : message, error: errorNames[status] ?? 'LangfuseError' });
}

const wrongKey = 'Invalid credentials. The secret key must be an API key of this PromptHarbor service.';

const errorNames: Record<number, string> = {
  400: 'InvalidRequestError',
  // All other endpoints of the service also use this text for a 401.
  401: 'Unauthorized',
  403: 'ForbiddenError',
  404: 'LangfuseNotFoundError',
  405: 'MethodNotAllowedError',
  409: 'LangfuseConflictError',
};

/** Converts the JSON pointer of an invalid field to a list of names and indexes, with Langfuse's field names. */
function toIssue({ path, message }: { path: string; message: string }) {
  const [first = '', ...rest] = path.split('/').slice(1);
  return { path: [fieldNames.get(first) ?? first, ...rest].map((step) => (/^\d+$/.test(step) ? Number(step) : step)), message };
}

const fieldNames = new Map([
  ['template', 'prompt'],
  ['messages', 'prompt'],
  ['message', 'commitMessage'],
]);

const notFound = new Set<ErrorCode>(['prompt_not_found', 'version_not_found', 'label_not_found']);
const refused = new Set<ErrorCode>(['unresolved_partial', 'version_included', 'checks_required']);

/** Rethrows a "not found" error with Langfuse's wording. */
export function rethrowNotFound(name: string, { version, label }: { version?: number | undefined; label?: string | undefined }) {
  return (err: unknown): never => {
    if (!(err instanceof AppError && notFound.has(err.code))) throw err;
    const choice = version !== undefined ? ` with version ${version}` : label !== undefined ? ` with label '${label}'` : '';
    throw new AppError(err.code, { text: `Prompt not found: '${name}'${choice}` });
  };
}

/** Rethrows a refused write as a 400 if it can never succeed, because Langfuse's Python SDK retries a request after a 409. */
export function rethrowRefused(err: unknown): never {
  if (err instanceof AppError && refused.has(err.code)) throw new AppError('bad_request', { text: err.message, cause: err });
  throw err;
}

/** Rethrows a failed read as a 409 if includes cannot be resolved at the moment, because a later request may succeed. */
export function rethrowUnresolved(err: unknown): never {
  if (err instanceof AppError && err.code === 'unresolved_partial') throw new AppError('version_conflict', { text: err.message });
  throw err;
}
