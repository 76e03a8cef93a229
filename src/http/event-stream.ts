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
  /** Resolves when the client has taken most of what was sent, or is gone. */
  drained(): Promise<void>;
  onClose(listener: () => void): void;
  end(): void;
  destroy(): void;
}

/** The open streams of this process: bounded, kept alive by comments, and ended before a stop. */
export interface EventStreams {
  /** Responds with a stream. Throws if the account or the process has too many. */
  open(req: FastifyRequest, reply: FastifyReply, accountId: string): EventStream;
  readonly count: number;
  close(): void;
}

const defaultLimits = { perAccount: 1000, total: 10_000 };
const commentIntervalMs = 15_000;
/** A client that is this far behind is cut off, and reconnects where it was. */
const maxBufferedBytes = 256 * 1024;
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' };

export function createEventStreams(limits = defaultLimits): EventStreams {
  const streams = new Set<EventStream & { comment(): void }>();
  const perAccount = new Map<string, number>();
  const timer = setInterval(() => {
    for (const stream of streams) stream.comment();
  }, commentIntervalMs).unref();

  function take(accountId: string): () => void {
    const own = perAccount.get(accountId) ?? 0;
    if (own >= limits.perAccount) {
      throw new AppError('too_many_streams', { text: `A key has at most ${limits.perAccount} open streams; close some of them` });
    }
    if (streams.size >= limits.total) throw new AppError('overloaded');
    perAccount.set(accountId, own + 1);
    return () => {
      const left = (perAccount.get(accountId) ?? 1) - 1;
      if (left > 0) perAccount.set(accountId, left);
      else perAccount.delete(accountId);
    };
  }

  return {
    open(req, reply, accountId) {
      const release = take(accountId);
      const stream = openStream(req, reply);
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

function openStream(req: FastifyRequest, reply: FastifyReply): EventStream & { comment(): void } {
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
    comment: () => write(':\n\n'),
    async drained() {
      if (!res.writableNeedDrain || res.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      res.once('drain', resolve).once('close', resolve);
      await promise;
      res.off('drain', resolve).off('close', resolve);
    },
    onClose: (listener) => void res.once('close', listener),
    end: () => void res.end(),
    destroy: () => void res.destroy(),
  };
}
