import { AppError, type ErrorCode } from '../../errors.ts';

/** The body of an error as Langfuse's SDKs know it. */
export function toLangfuseBody({ code, status, message, details }: AppError): string {
  if (code === 'invalid_input' && details) return JSON.stringify({ message: 'Invalid request data', error: details.map(toIssue) });
  return JSON.stringify({ message: code === 'unauthorized' ? wrongKey : message, error: errorNames[status] ?? 'LangfuseError' });
}

const wrongKey = 'Invalid credentials. The secret key has to be an API key of this PromptHarbor.';

const errorNames: Record<number, string> = {
  400: 'InvalidRequestError',
  // As everywhere in this service.
  401: 'Unauthorized',
  403: 'ForbiddenError',
  404: 'LangfuseNotFoundError',
  405: 'MethodNotAllowedError',
  409: 'LangfuseConflictError',
};

/** A JSON pointer becomes a list of names and indexes, in the words of Langfuse. */
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

/** Says what was not found in Langfuse's words. */
export function rethrowNotFound(name: string, { version, label }: { version?: number | undefined; label?: string | undefined }) {
  return (err: unknown): never => {
    if (!(err instanceof AppError && notFound.has(err.code))) throw err;
    const choice = version !== undefined ? ` with version ${version}` : label !== undefined ? ` with label '${label}'` : '';
    throw new AppError(err.code, { text: `Prompt not found: '${name}'${choice}` });
  };
}

/** A write that can never succeed is a 400, because Langfuse's Python SDK repeats requests that get 409. */
export function rethrowRefused(err: unknown): never {
  if (err instanceof AppError && refused.has(err.code)) throw new AppError('bad_request', { text: err.message, cause: err });
  throw err;
}

/** A read of what cannot be resolved now, and might be later, is a 409. */
export function rethrowUnresolved(err: unknown): never {
  if (err instanceof AppError && err.code === 'unresolved_partial') throw new AppError('version_conflict', { text: err.message });
  throw err;
}
