import type { Operations, ResponseFields } from '../types.ts';
import { type AnyInput, type Call, createCall, type Input, type OperationId, toRequest } from './operations.ts';
import { createPagedList, type Page, type PagedList } from './pages.ts';
import type { Request, RequestOptions, Sender } from './request.ts';
import type { ServerSentEvent } from './sse.ts';
import { streamEvents } from './stream-events.ts';

/** The operations whose response is a page. */
type PagedOperationId = { [K in OperationId]: Operations[K]['response'] extends Page<unknown> ? K : never }[OperationId];

/** Calls operations of the API by their id. */
export interface Caller {
  call: Call;
  /** Returns the response as server-sent events, for operations that can be streamed. */
  stream<K extends OperationId>(id: K, input: Input<K>, options?: RequestOptions): AsyncGenerator<ServerSentEvent>;
  list<K extends PagedOperationId>(id: K, input: Partial<Input<K>>, options?: RequestOptions): PagedList<Operations[K]['response']>;
}

/** For each operation, `expected` contains fields that every response has. A response without these fields is not from the service. */
export function createCaller(sender: Sender, expected: Partial<Record<OperationId, ResponseFields>> = {}): Caller {
  const createRequest = (id: OperationId, input: AnyInput): Request => ({ ...toRequest(id, input), expects: expected[id] });
  return {
    call: createCall(sender, createRequest),
    stream: (id, input: AnyInput, options = {}) => streamEvents(sender, toRequest(id, input), options),
    // TypeScript cannot infer that the operation of a list responds with a page of that list.
    list: ((id, input: AnyInput, options) =>
      createPagedList((cursor) => {
        const query = { ...input.query, ...(cursor !== undefined && { cursor }) };
        return sender.send(createRequest(id, { ...input, query }), options) as Promise<Page<unknown>>;
      })) as Caller['list'],
  };
}
