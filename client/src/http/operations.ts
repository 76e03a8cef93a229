import { PromptHarborError } from '../errors.ts';
import { type Operations, operations } from '../types.ts';
import { createPagedList, type Page, type PagedList } from './pages.ts';
import type { ServerSentEvent } from './sse.ts';
import { streamEvents } from './stream-events.ts';
import type { Request, RequestOptions, Transport } from './transport.ts';

type OperationId = keyof Operations;
/** Without the parts that the operation does not have. */
type Input<K extends OperationId> = {
  [Part in 'path' | 'query' | 'body' as Operations[K][Part] extends undefined ? never : Part]: Operations[K][Part];
};

/** The operations whose response is a page. */
type PagedOperationId = { [K in OperationId]: Operations[K]['response'] extends Page<unknown> ? K : never }[OperationId];

/** Calls operations of the API by their id. */
export interface Caller {
  call<K extends OperationId>(id: K, input: Input<K>, options?: RequestOptions): Promise<Operations[K]['response']>;
  /** The response as server-sent events, for operations that can be streamed. */
  stream<K extends OperationId>(id: K, input: Input<K>, options?: RequestOptions): AsyncGenerator<ServerSentEvent>;
  list<K extends PagedOperationId>(id: K, input: Partial<Input<K>>, options?: RequestOptions): PagedList<Operations[K]['response']>;
}

/** Sending these twice is the same as sending them once, although they are no GET. */
const repeatable = new Set<OperationId>(['obtainToken', 'moveLabel', 'renderPrompt', 'previewPrompt']);
const isPublic = new Set<OperationId>(['register', 'obtainToken', 'getInvitation', 'health', 'readiness', 'openapi']);

export function createCaller(transport: Transport): Caller {
  const call = async (id: OperationId, input: AnyInput, options?: RequestOptions) => transport.send(toRequest(id, input), options);

  return {
    // The service responds as openapi.json says, which the types are made from.
    call: call as Caller['call'],
    stream: (id, input: AnyInput, options = {}) => streamEvents(transport, toRequest(id, input), options),
    list: ((id, input: { path?: object; query?: object }, options) =>
      createPagedList(
        (cursor) =>
          call(id, { ...input, query: { ...input.query, ...(cursor !== undefined && { cursor }) } }, options) as Promise<Page<unknown>>,
      )) as Caller['list'],
  };
}

type AnyInput = { path?: object; query?: object; body?: unknown };

function toRequest(id: OperationId, { path: values = {}, query, body }: AnyInput): Request {
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

/** Fills `{name}` in a path. What `fetch` would read as another path is refused. */
export function fillPath(path: string, values: object): string {
  return Object.entries(values).reduce((filled, [name, value]) => {
    const text = String(value);
    if (text === '' || text === '.' || text === '..') throw new PromptHarborError(`"${text}" is no valid ${name}`);
    return filled.replace(`{${name}}`, () => encodeURIComponent(text));
  }, path);
}
