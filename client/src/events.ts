import { ApiError } from './errors.ts';
import type { RequestOptions, Sender } from './http/request.ts';
import { streamEvents } from './http/stream-events.ts';
import { backoff, wait } from './http/timing.ts';
import type { StreamEventsQuery, WorkspaceEvent } from './types.ts';

/**
 * An event of the stream. Every connection starts with `hello`. `reset` means that missed events are no longer kept, so you should
 * fetch everything again.
 */
export type StreamEvent = { id: string } & (WorkspaceEvent | { type: 'hello'; revision: number } | { type: 'reset' });

export interface EventStreamOptions extends Pick<RequestOptions, 'signal' | 'workspace' | 'headers'> {
  /** Called with the reason when the connection is lost. The client reconnects automatically. */
  onDisconnect?: ((err: unknown) => void) | undefined;
}

const reconnect = { firstMs: 500, maxMs: 15_000 };

/** `ph.events`: the events of the workspace. */
export function createEvents(sender: Sender) {
  return {
    /**
     * Streams the events of the workspace. After a lost connection, the stream continues where it stopped, so no event is missed or
     * repeated. Throws only if another attempt cannot succeed, for example because the key is no longer valid.
     */
    async *stream(query: StreamEventsQuery = {}, options: EventStreamOptions = {}): AsyncGenerator<StreamEvent, undefined> {
      let lastId = query.after;
      for (let attempt = 0; ; attempt += 1) {
        try {
          for await (const event of connect(sender, { ...query, after: lastId }, options)) {
            attempt = 0;
            lastId = event.id;
            yield event;
          }
        } catch (err) {
          if (options.signal?.aborted) throw options.signal.reason;
          if (isFinal(err)) throw err;
          options.onDisconnect?.(err);
        }
        await wait(backoff(attempt, reconnect), options.signal);
      }
    },
  };
}

/**
 * Reads the events of one connection. Ends when the service ends the connection. Throws if the connection is lost, or silent for too long.
 */
export async function* connect(
  sender: Sender,
  { after, ...query }: { [Name in keyof StreamEventsQuery]: StreamEventsQuery[Name] | undefined },
  { signal, workspace, headers, isBackground }: EventStreamOptions & { isBackground?: boolean },
): AsyncGenerator<StreamEvent> {
  const request = { method: 'GET', path: '/api/events', query, isBackground };
  const stream = streamEvents(sender, request, {
    workspace,
    signal,
    retries: 0,
    headers: { ...headers, ...(after && { 'last-event-id': after }) },
  });
  for await (const { id, data } of stream) {
    // The service sends only events that its contract describes.
    if (id !== undefined && data !== undefined) yield { id, ...JSON.parse(data) } as StreamEvent;
  }
}

/** Returns whether a retry would fail in the same way. */
export function isFinal(err: unknown): boolean {
  return err instanceof ApiError && err.status < 500 && err.status !== 408 && err.status !== 429;
}
