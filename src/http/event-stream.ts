import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFairSlots } from '../platform/scheduling/fair-slots.ts';
import { slotLimits } from '../platform/scheduling/limits.ts';
import { createStreamBuffers, type StreamBuffers } from './stream-buffer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The time between the arrival of the request and the start of its stream. The duration of the whole stream says nothing about the
     * speed of the service.
     */
    streamStartedMs: number | undefined;
  }
}

/** A response of server-sent events. */
export type EventStream = ReturnType<typeof openStream>;
export type EventStreams = ReturnType<typeof createEventStreams>;

const commentIntervalMs = 15_000;
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' };

/**
 * Creates the list of this process's open streams. Their number is limited, comments keep them alive, and they end before the service
 * stops.
 */
export function createEventStreams(limits = slotLimits.eventStreams) {
  const streams = new Set<EventStream>();
  const slots = createFairSlots(limits);
  const buffers = createStreamBuffers();
  const timer = setInterval(() => {
    for (const stream of streams) stream.comment();
  }, commentIntervalMs).unref();

  function track(stream: EventStream): EventStream {
    streams.add(stream);
    stream.onClose(() => streams.delete(stream));
    return stream;
  }

  return {
    /**
     * Responds with a stream of events, which the client can resume after it ends. Throws if one of the stream's owners (an account or a
     * workspace) has too many streams. If all slots are taken, the owner with the most streams loses one. If the protocol has a closing
     * message, pass `end`, which the service then calls to end the stream.
     */
    open(req: FastifyRequest, reply: FastifyReply, owners: ReadonlySet<string>, end?: () => void): EventStream {
      const slot = slots.take({ owners });
      const stream = openStream(req, reply, { buffers, end });
      slot.evicted.addEventListener('abort', stream.leave, { once: true });
      stream.onClose(slot.release);
      return track(stream);
    },

    /**
     * Responds with the stream of a run. The stream takes no slot, because runs have their own limit, and it never has to end in favor of
     * another stream. When the service stops, the service ends the run. The run's last event then ends the stream.
     */
    openRun: (req: FastifyRequest, reply: FastifyReply) => track(openStream(req, reply, { buffers, end: () => undefined })),

    get count(): number {
      return streams.size;
    },

    close(): void {
      clearInterval(timer);
      for (const stream of streams) stream.end();
    },
  };
}

function openStream(req: FastifyRequest, reply: FastifyReply, { buffers, end }: { buffers: StreamBuffers; end: (() => void) | undefined }) {
  const res = reply.raw;
  req.streamStartedMs = reply.elapsedTime;
  reply.hijack();
  res.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  const buffer = buffers.open(res);
  const finish = () => void res.end();
  buffer.write('retry: 1000\n\n');

  return {
    send: (id: number, data: string) => buffer.write(`id: ${id}\ndata: ${data}\n\n`),
    /** Sends text that is already formatted as events. */
    write: buffer.write,
    /**
     * Sends an event of any size that has a name instead of an id, for streams that cannot be resumed. The caller must wait for `drained`.
     */
    sendEvent(name: string, data: string): void {
      if (!res.destroyed && !res.writableEnded) res.write(`event: ${name}\ndata: ${data}\n\n`);
    },
    /** Sends a comment, which keeps the connection alive. */
    comment: () => buffer.write(':\n\n'),
    /** Resolves when the client has read most of what was sent, or has disconnected. */
    async drained(): Promise<void> {
      await buffer.drained();
      if (!res.writableNeedDrain || res.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      res.once('drain', resolve).once('close', resolve);
      await promise;
      res.off('drain', resolve).off('close', resolve);
    },
    onClose: (listener: () => void) => void res.once('close', listener),
    /** Ends the stream when the service stops. Calls the `end` function that was passed to `open`, if there is one. */
    end: end ?? finish,
    /** Ends the response after all data that was already written. */
    finish,
    destroy: () => void res.destroy(),
    /** If the client has read everything, ends the response properly. Otherwise, closes the connection immediately. */
    leave: () => void (buffer.isEmpty() ? finish() : res.destroy()),
  };
}
