import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../domain/events/feed.ts';
import type { EventStream, EventStreams } from '../event-stream.ts';
import { createAccessCheck } from '../middleware/access-check.ts';
import type { McpCall } from './call.ts';
import type { Notifier } from './notifications.ts';

interface Listener {
  call: McpCall;
  notifier: Notifier;
  /** The handler, which serves only this request. Closing the handler sends a last message and ends the stream. */
  handler: McpHttpHandler;
  body: ReadableStream<Uint8Array>;
}

/** Sends a `subscriptions/listen` stream until the client leaves, its access ends or the service stops. */
export function sendListenStream(req: FastifyRequest, reply: FastifyReply, eventStreams: EventStreams, listener: Listener): void {
  const { call, notifier, handler, body } = listener;
  const { ctx, actor } = call;
  const end = () => void handler.close();
  const stream = openOrEnd(() => eventStreams.open(req, reply, new Set([actor.accountId, actor.workspaceId]), end), end);
  req.leaveQueue?.();
  const reader: Reader = {
    workspaceId: actor.workspaceId,
    revision: actor.revision,
    ...createAccessCheck(ctx, req, undefined),
    onEvent: ({ event }) => notifier.add(event),
    onReset: () => undefined,
    drained: stream.drained,
    onEnd: end,
  };
  stream.onClose(() => {
    ctx.feed.remove(reader);
    end();
  });
  send(body, stream).then(stream.finish, stream.destroy);
  ctx.feed.add(reader, undefined).catch(stream.destroy);
}

/** Opens a stream. If this exceeds the limits, refuses the stream and calls `end` to release everything that was set up for it. */
function openOrEnd(open: () => EventStream, end: () => void): EventStream {
  try {
    return open();
  } catch (err) {
    end();
    throw err;
  }
}

async function send(body: ReadableStream<Uint8Array>, stream: EventStream): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of body) stream.write(decoder.decode(chunk, { stream: true }));
}
