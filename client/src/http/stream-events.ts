import { ConnectionError, createForeignResponseError, PromptHarborError } from '../errors.ts';
import type { Request, RequestOptions, Sender } from './request.ts';
import { readEvents, type ServerSentEvent } from './sse.ts';
import { unref } from './timing.ts';

/** The time without any data after which a stream counts as lost. The service sends a comment every 15 seconds. */
const silenceMs = 40_000;

/** Yields the events of one response. Ends when the service ends the response. Throws if the connection is lost, or silent for too long. */
export async function* streamEvents(
  sender: Sender,
  request: Request,
  { signal, ...options }: RequestOptions,
): AsyncGenerator<ServerSentEvent> {
  const watch = createSilenceWatch(signal, request.isBackground);
  try {
    const headers = { accept: 'text/event-stream', ...options.headers };
    const response = await sender.open(request, { ...options, headers, signal: watch.signal });
    if (!response.body || !/^text\/event-stream/.test(response.headers.get('content-type') ?? '')) {
      throw createForeignResponseError('The response is not an event stream');
    }
    watch.restart();
    for await (const event of readEvents(response.body)) {
      watch.restart();
      yield event;
    }
  } catch (err) {
    if (signal?.aborted) throw signal.reason;
    throw err instanceof PromptHarborError ? err : new ConnectionError('The event stream was cut off', { cause: err });
  } finally {
    watch.end();
  }
}

/** Aborts when nothing has arrived for too long, because the other side may be gone without closing the connection. */
function createSilenceWatch(outer: AbortSignal | undefined, isBackground = false) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(abort, silenceMs);
      if (isBackground) unref(timer);
    },
    end() {
      controller.abort();
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
