import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Watcher } from '../../domain/access-watch.ts';
import type { Context } from '../../domain/context.ts';
import type { AppError } from '../../errors.ts';
import type { EventStream, EventStreams } from '../event-stream.ts';
import { allowInactivity } from '../inactivity.ts';
import { assertAccess, createAccessCheck } from '../middleware/access-check.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Cookie } from '../middleware/cookies.ts';

export type RunResponse = ReturnType<typeof createRunResponse>;

/** A client that reads nothing for this long is disconnected, and its run ends. */
const stallTimeoutMs = 60_000;

/**
 * Creates the response of a long request: server-sent events or a single JSON response. A client that accepts JSON and does not mention
 * event streams gets a single response.
 */
export function createRunResponse(
  req: FastifyRequest,
  reply: FastifyReply,
  { ctx, sessionCookie, eventStreams }: { ctx: Context; sessionCookie: Cookie; eventStreams: EventStreams },
) {
  const { accept = '' } = req.headers;
  const isStreamed = accept.includes('text/event-stream') || !accept.includes('application/json');
  const actor = actorOf(req);
  const { workspaceId } = actor;
  const access = createAccessCheck(ctx, req, sessionCookie.read(req));
  let refusal: AppError | undefined;
  const closed = new AbortController();
  // Waiting for a model must not keep the workspace's other requests waiting.
  req.leaveQueue?.();
  const forbidInactivity = allowInactivity(req, reply);
  const memory = ctx.modelRuns.memory.open(workspaceId);
  const signal = AbortSignal.any([closed.signal, memory.evicted]);
  const onClose = () => {
    closed.abort();
    memory.close();
  };
  if (reply.raw.destroyed) onClose();
  else reply.raw.once('close', onClose);
  const response = {
    /** The stream of events. Undefined while the response may still become an error, and for a single JSON response. */
    stream: undefined as EventStream | undefined,
    /**
     * The signal is aborted when the client disconnects, when it loses access, or when other requests need the memory that the run holds.
     */
    signal,
    /** The memory that the run holds. The memory is released when the response has been sent. */
    memory,
    /** Throws if the request's credential no longer gives access to its workspace. */
    assertAllowed: () => assertAccess(access),
    /** Runs the work. If the client loses access in the meantime, aborts the work, ends the stream immediately and throws the reason. */
    async whileAllowed<T>(work: () => Promise<T>): Promise<T> {
      const watcher: Watcher = { ...access, onEnd: endAccess };
      ctx.access.add(watcher);
      try {
        const result = await work();
        // The access is checked again before a single response, because none of it has been sent yet. A stream has already sent most of the
        // result.
        if (!response.stream) await assertAccess(access);
        return result;
      } catch (err) {
        throw refusal ?? err;
      } finally {
        ctx.access.remove(watcher);
      }
    },
    start(): void {
      // The duration is measured until here, because the time that a model takes says nothing about the speed of the service.
      req.streamStartedMs ??= reply.elapsedTime;
      // No stream is opened on a closed connection, because it would never notice that the client has left.
      if (!isStreamed || signal.aborted) return;
      response.stream ??= eventStreams.openRun(req, reply);
      forbidInactivity();
    },
    /** Sends an event. If the client reads slowly, waits until it has caught up. */
    async send(event: string, data: object): Promise<void> {
      const { stream } = response;
      if (!stream) return;
      stream.sendEvent(event, JSON.stringify(data));
      const timer = setTimeout(stream.destroy, stallTimeoutMs);
      await stream.drained();
      clearTimeout(timer);
    },
  };
  return response;

  function endAccess(reason: AppError): void {
    refusal = reason;
    closed.abort();
    const { code, message, status } = reason;
    response.stream?.sendEvent('error', JSON.stringify({ code, message, status, retryAfterSeconds: null }));
    response.stream?.finish();
  }
}
