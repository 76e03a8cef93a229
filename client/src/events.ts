import { ApiError, ConnectionError, PromptHarborError } from './errors.ts';
import { readEvents } from './http/sse.ts';
import { backoff, unref, wait } from './http/timing.ts';
import type { RequestOptions, Transport } from './http/transport.ts';
import type { StreamEventsQuery, WorkspaceEvent } from './types.ts';

/**
 * What comes from the stream. `hello` begins every connection. `reset` says that events were missed which are no longer kept, so
 * that everything should be fetched again.
 */
export type StreamEvent = { id: string } & (WorkspaceEvent | { type: 'hello'; revision: number } | { type: 'reset' });

export interface EventStreamOptions extends Pick<RequestOptions, 'signal' | 'workspace' | 'headers'> {
  /** Called when the connection is lost, with the reason. The next one follows by itself. */
  onDisconnect?: ((err: unknown) => void) | undefined;
}

/** The service sends a comment every 15 seconds. */
const silenceMs = 40_000;
const reconnect = { firstMs: 500, maxMs: 15_000 };

/** `ph.events` */
export function createEvents(transport: Transport) {
  return {
    /**
     * Follows what happens in the workspace. After a lost connection it goes on where it was, so no event is missed and none
     * comes twice. Throws only what another attempt cannot change, such as a key that is no longer valid.
     */
    async *stream(query: StreamEventsQuery = {}, options: EventStreamOptions = {}): AsyncGenerator<StreamEvent, undefined> {
      let lastId = query.after;
      for (let attempt = 0; ; attempt += 1) {
        try {
          for await (const event of connect(transport, { ...query, after: lastId }, options)) {
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

/** One connection. Ends when the service ends it; throws when it is cut or silent. */
export async function* connect(
  transport: Transport,
  { after, ...query }: { [Name in keyof StreamEventsQuery]: StreamEventsQuery[Name] | undefined },
  { signal, workspace, headers, isBackground }: EventStreamOptions & { isBackground?: boolean },
): AsyncGenerator<StreamEvent> {
  const watch = createSilenceWatch(signal, isBackground);
  try {
    const response = await transport.open(
      { method: 'GET', path: '/api/events', query, isBackground },
      {
        workspace,
        signal: watch.signal,
        retries: 0,
        headers: { accept: 'text/event-stream', ...headers, ...(after && { 'last-event-id': after }) },
      },
    );
    if (!response.body || !/^text\/event-stream/.test(response.headers.get('content-type') ?? '')) {
      throw new PromptHarborError('The response is no event stream. Is baseUrl the address of a PromptHarbor service?');
    }
    for await (const { id, data } of readEvents(response.body)) {
      watch.reset();
      // The service only sends what its contract describes.
      if (id !== undefined && data !== undefined) yield { id, ...JSON.parse(data) } as StreamEvent;
    }
  } catch (err) {
    if (signal?.aborted) throw signal.reason;
    throw err instanceof PromptHarborError ? err : new ConnectionError('The event stream was cut', { cause: err });
  } finally {
    watch.end();
  }
}

/** Another attempt would fail in the same way. */
export function isFinal(err: unknown): boolean {
  return err instanceof ApiError && err.status < 500 && err.status !== 408 && err.status !== 429;
}

/** Aborts when nothing has come for too long: the other side may be gone without a word. */
function createSilenceWatch(outer: AbortSignal | undefined, isBackground = false) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  let timer = startTimer();
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });

  function startTimer() {
    const started = setTimeout(abort, silenceMs);
    if (isBackground) unref(started);
    return started;
  }

  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer);
      timer = startTimer();
    },
    end() {
      controller.abort();
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
