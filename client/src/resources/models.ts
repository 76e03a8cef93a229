import { type ApiError, ConnectionError, createApiError } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type {
  CaseChange,
  CaseImport,
  CaseResult,
  CheckRequest,
  CheckSummary,
  DraftRunRequest,
  ListCasesQuery,
  ListChecksQuery,
  ListModelsQuery,
  ListRunsQuery,
  ModelConnectionChange,
  NewCase,
  NewModelConnection,
  RunRequest,
} from '../types.ts';

/** The timeout for requests that wait for a model. This timeout is longer than the time that the service allows a model to take. */
const modelTimeoutMs = 11 * 60 * 1000;

/** `ph.models`: connections to OpenAI-compatible servers. */
export function createModels({ call, list }: Caller) {
  return {
    list: (query: ListModelsQuery = {}, options?: RequestOptions) => list('listModels', { query }, options),
    create: (body: NewModelConnection, options?: RequestOptions) => call('createModel', { body }, options),
    update: (id: string, body: ModelConnectionChange, options?: RequestOptions) => call('changeModel', { path: { id }, body }, options),
    delete: (id: string, options?: RequestOptions) => call('deleteModel', { path: { id } }, options),
    /** Tests the connection. If the test fails, the result says why. */
    test: (id: string, options?: RequestOptions) => call('testModel', { path: { id } }, options),
  };
}

/** `ph.runs`: runs of prompts on models. */
export function createRuns({ call, list }: Caller) {
  return {
    /** Runs a version of a prompt on a model. Resolves when the model has finished. */
    create: (name: string, body: RunRequest, options?: RequestOptions) =>
      call('runPrompt', { path: { name }, body }, { timeoutMs: modelTimeoutMs, ...options }),
    /** Runs an unsaved draft. */
    draft: (body: DraftRunRequest, options?: RequestOptions) => call('runDraft', { body }, { timeoutMs: modelTimeoutMs, ...options }),
    list: (name: string, query: ListRunsQuery = {}, options?: RequestOptions) => list('listRuns', { path: { name }, query }, options),
    get: (name: string, { id }: { id: string }, options?: RequestOptions) => call('getRun', { path: { name, id } }, options),
  };
}

/** `ph.cases`: the test cases of prompts. */
export function createCases({ call, list }: Caller) {
  return {
    list: (name: string, query: ListCasesQuery = {}, options?: RequestOptions) => list('listCases', { path: { name }, query }, options),
    create: (name: string, body: NewCase, options?: RequestOptions) => call('createCase', { path: { name }, body }, options),
    /** Adds several test cases. If one test case is invalid, none is added. */
    import: (name: string, body: CaseImport, options?: RequestOptions) => call('importCases', { path: { name }, body }, options),
    update: (name: string, { id, ...body }: CaseChange & { id: string }, options?: RequestOptions) =>
      call('changeCase', { path: { name, id }, body }, options),
    delete: (name: string, { id }: { id: string }, options?: RequestOptions) => call('deleteCase', { path: { name, id } }, options),
  };
}

/** An event of a check run: `case` for each finished test case, then `done`. */
export type CheckEvent = { type: 'case'; done: number; total: number; case: CaseResult } | { type: 'done'; check: CheckSummary };

/** `ph.checks`: check runs and their results. */
export function createChecks({ call, list, stream }: Caller) {
  return {
    /**
     * Runs all test cases on a version. Resolves when all test cases have finished. `failed` is the number of test cases that did not pass.
     */
    run: (name: string, body: CheckRequest, options?: RequestOptions) =>
      call('runChecks', { path: { name }, body }, { timeoutMs: modelTimeoutMs, ...options }),
    /** Runs all test cases and yields each result as it finishes. Ending the iteration or aborting the signal cancels the check run. */
    async *stream(name: string, body: CheckRequest, options?: RequestOptions): AsyncGenerator<CheckEvent, undefined> {
      for await (const { event, data } of stream('runChecks', { path: { name }, body }, { timeoutMs: modelTimeoutMs, ...options })) {
        if (data === undefined) continue;
        // The service sends only events that its contract describes.
        if (event === 'case') yield { type: 'case', ...(JSON.parse(data) as Omit<CheckEvent & { type: 'case' }, 'type'>) };
        if (event === 'error') throw toApiError(JSON.parse(data) as StreamedError);
        if (event !== 'done') continue;
        yield { type: 'done', check: JSON.parse(data) as CheckSummary };
        return;
      }
      throw new ConnectionError('The connection ended before the check run was finished');
    },
    list: (name: string, query: ListChecksQuery = {}, options?: RequestOptions) => list('listChecks', { path: { name }, query }, options),
    get: (name: string, { id }: { id: string }, options?: RequestOptions) => call('getCheck', { path: { name, id } }, options),
  };
}

interface StreamedError {
  code: string;
  message: string;
  status?: number;
}

function toApiError({ code, message, status = 500 }: StreamedError): ApiError {
  return createApiError(message, { code, status });
}
