import { PromptHarborError } from '../errors.ts';
import { type Operations, operations } from '../types.ts';
import type { Request, RequestOptions, Sender } from './request.ts';

export type OperationId = keyof Operations;

/** Omits the parts that the operation does not have. If all parameters of a query are optional, the query is optional too. */
export type Input<K extends OperationId> = {
  [Part in 'path' | 'body' as Operations[K][Part] extends undefined ? never : Part]: Operations[K][Part];
} & QueryInput<Operations[K]['query']>;

type QueryInput<Query> = Query extends undefined ? unknown : Partial<Query> extends Query ? { query?: Query } : { query: Query };

/** Calls an operation of the API by its id. */
export type Call = <K extends OperationId>(id: K, input: Input<K>, options?: RequestOptions) => Promise<Operations[K]['response']>;

/** The operations that are idempotent although they are not GET. */
export const repeatable = new Set<OperationId>([
  ...(['obtainToken', 'moveLabel', 'renderPrompt', 'previewPrompt'] as const),
  // The client gives each call and each feedback an id, so that a retry is not counted again.
  ...(['reportResults', 'sendFeedback', 'sendBrowserFeedback'] as const),
]);
/** The operations that need no key. */
export const isPublic = new Set<OperationId>([
  ...(['register', 'obtainToken', 'getInvitation', 'sendBrowserFeedback', 'health', 'readiness', 'openapi'] as const),
]);

export function createCall(sender: Sender, createRequest = toRequest): Call {
  const call = async (id: OperationId, input: AnyInput, options?: RequestOptions) => sender.send(createRequest(id, input), options);
  // The service responds as described in openapi.json, from which the types are generated.
  return call as Call;
}

export type AnyInput = { path?: object; query?: object; body?: unknown };

export function toRequest(id: OperationId, { path: values = {}, query, body }: AnyInput): Request {
  const [method, path] = operations[id];
  return {
    method,
    path: fillPath(path, values),
    query,
    body,
    isPublic: isPublic.has(id),
    ...(repeatable.has(id) && { isRepeatable: true }),
  };
}

/** Fills `{name}` in a path. Throws for values that `fetch` would interpret as another path. */
export function fillPath(path: string, values: object): string {
  return Object.entries(values).reduce((filled, [name, value]) => {
    const text = String(value);
    if (text === '' || text === '.' || text === '..') throw new PromptHarborError(`"${text}" is not a valid ${name}`);
    return filled.replace(`{${name}}`, () => encodeURIComponent(text));
  }, path);
}
