import type { Caller } from '../http/operations.ts';
import type { RequestOptions } from '../http/transport.ts';
import type {
  CaseChange,
  CaseImport,
  CheckRequest,
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

/** Longer than the service lets a model take. */
const modelTimeoutMs = 11 * 60 * 1000;

/** `ph.models`: connections to OpenAI-compatible servers. */
export function createModels({ call, list }: Caller) {
  return {
    list: (query: ListModelsQuery = {}, options?: RequestOptions) => list('listModels', { query }, options),
    create: (body: NewModelConnection, options?: RequestOptions) => call('createModel', { body }, options),
    update: (id: string, body: ModelConnectionChange, options?: RequestOptions) => call('changeModel', { path: { id }, body }, options),
    delete: (id: string, options?: RequestOptions) => call('deleteModel', { path: { id } }, options),
    /** Says in words what is wrong, if something is. */
    test: (id: string, options?: RequestOptions) => call('testModel', { path: { id } }, options),
  };
}

/** `ph.runs` */
export function createRuns({ call, list }: Caller) {
  return {
    /** Runs a version of a prompt on a model. Resolves when the model has finished. */
    create: (name: string, body: RunRequest, options?: RequestOptions) =>
      call('runPrompt', { path: { name }, body }, { timeoutMs: modelTimeoutMs, ...options }),
    /** The same for content that is not saved. */
    draft: (body: DraftRunRequest, options?: RequestOptions) => call('runDraft', { body }, { timeoutMs: modelTimeoutMs, ...options }),
    list: (name: string, query: ListRunsQuery = {}, options?: RequestOptions) => list('listRuns', { path: { name }, query }, options),
    get: (name: string, { id }: { id: string }, options?: RequestOptions) => call('getRun', { path: { name, id } }, options),
  };
}

/** `ph.cases` */
export function createCases({ call, list }: Caller) {
  return {
    list: (name: string, query: ListCasesQuery = {}, options?: RequestOptions) => list('listCases', { path: { name }, query }, options),
    create: (name: string, body: NewCase, options?: RequestOptions) => call('createCase', { path: { name }, body }, options),
    /** Adds several, all or none. */
    import: (name: string, body: CaseImport, options?: RequestOptions) => call('importCases', { path: { name }, body }, options),
    update: (name: string, { id, ...body }: CaseChange & { id: string }, options?: RequestOptions) =>
      call('changeCase', { path: { name, id }, body }, options),
    delete: (name: string, { id }: { id: string }, options?: RequestOptions) => call('deleteCase', { path: { name, id } }, options),
  };
}

/** `ph.checks` */
export function createChecks({ call, list }: Caller) {
  return {
    /** Runs all cases of a version. Resolves when all have finished; `failed` says how many did not pass. */
    run: (name: string, body: CheckRequest, options?: RequestOptions) =>
      call('runChecks', { path: { name }, body }, { timeoutMs: modelTimeoutMs, ...options }),
    list: (name: string, query: ListChecksQuery = {}, options?: RequestOptions) => list('listChecks', { path: { name }, query }, options),
    get: (name: string, { id }: { id: string }, options?: RequestOptions) => call('getCheck', { path: { name, id } }, options),
  };
}
