import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How long the response to a stream took to begin. Its end says nothing about the speed of the service. */
    streamStartedMs: number | undefined;
  }
}

/** A response of server-sent events. */
export interface EventStream {
  send(id: number, data: string): void;
  /** Sends events that are formatted already. */
  write(text: string): void;
  /** Sends an event with a name instead of an id, of any size, for streams that cannot be continued. The caller waits for `drained`. */
  sendEvent(name: string, data: string): void;
  /** Resolves when the client has taken most of what was sent, or is gone. */
  drained(): Promise<void>;
  onClose(listener: () => void): void;
  end(): void;
  destroy(): void;
}

/** The open streams of this process: bounded, kept alive by comments, and ended before a stop. */
export interface EventStreams {
  /**
   * Responds with a stream. Throws if one of its owners, an account and a workspace, or the process has too many. `end` replaces how the
   * service ends it, for a protocol that says goodbye.
   */
  open(req: FastifyRequest, reply: FastifyReply, owners: ReadonlySet<string>, end?: () => void): EventStream;
  readonly count: number;
  close(): void;
}

/** Half of the connections that the service accepts by default. */
const defaultLimits = { perOwner: 1000, total: 5000 };
const commentIntervalMs = 15_000;
/** A client that is this far behind is cut off, and reconnects where it was. */
const maxBufferedBytes = 256 * 1024;
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' };

export function createEventStreams(limits = defaultLimits): EventStreams {
  const streams = new Set<EventStream & { comment(): void }>();
  const perOwner = new Map<string, number>();
  const timer = setInterval(() => {
    for (const stream of streams) stream.comment();
  }, commentIntervalMs).unref();

  function take(owners: ReadonlySet<string>): () => void {
    for (const owner of owners) {
      if ((perOwner.get(owner) ?? 0) < limits.perOwner) continue;
      throw new AppError('too_many_streams', {
        text: `A key and a workspace have at most ${limits.perOwner} open streams; close some of them`,
      });
    }
    if (streams.size >= limits.total) throw new AppError('overloaded');
    for (const owner of owners) perOwner.set(owner, (perOwner.get(owner) ?? 0) + 1);
    return () => {
      for (const owner of owners) {
        const left = (perOwner.get(owner) ?? 1) - 1;
        if (left > 0) perOwner.set(owner, left);
        else perOwner.delete(owner);
      }
    };
  }

  return {
    open(req, reply, owners, end) {
      const release = take(owners);
      const stream = openStream(req, reply, end);
      streams.add(stream);
      stream.onClose(() => {
        release();
        streams.delete(stream);
      });
      return stream;
    },

    get count() {
      return streams.size;
    },

    close() {
      clearInterval(timer);
      for (const stream of streams) stream.end();
    },
  };
}

function openStream(req: FastifyRequest, reply: FastifyReply, end: () => void = () => reply.raw.end()): EventStream & { comment(): void } {
  const res = reply.raw;
  req.streamStartedMs = reply.elapsedTime;
  reply.hijack();
  res.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  res.write('retry: 1000\n\n');

  function write(text: string): void {
    if (res.destroyed || res.writableEnded) return;
    res.write(text);
    if (res.writableLength > maxBufferedBytes) res.destroy();
  }

  return {
    send: (id, data) => write(`id: ${id}\ndata: ${data}\n\n`),
    write,
    sendEvent(name, data) {
      if (!res.destroyed && !res.writableEnded) res.write(`event: ${name}\ndata: ${data}\n\n`);
    },
    comment: () => write(':\n\n'),
    async drained() {
      if (!res.writableNeedDrain || res.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      res.once('drain', resolve).once('close', resolve);
      await promise;
      res.off('drain', resolve).off('close', resolve);
    },
    onClose: (listener) => void res.once('close', listener),
    end,
    destroy: () => void res.destroy(),
  };
}
