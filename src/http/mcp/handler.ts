import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { productionLabel } from '../../contract/label-names.ts';
import type { Context } from '../../domain/context.ts';
import { AppError } from '../../errors.ts';
import type { EventStreams } from '../event-stream.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import type { McpCall } from './call.ts';
import { isTransient } from './errors.ts';
import { correctInvalidParams } from './invalid-params.ts';
import { sendListenStream } from './listen.ts';
import { mcpMethod, mcpPath, methodNameOf } from './mcp-methods.ts';
import { createNotifier } from './notifications.ts';
import { buildServer } from './server.ts';

/** The maximum number of resources to which one listener may subscribe. */
const maxSubscriptions = 1000;

/**
 * Handles one message with the protocol's SDK. Each request gets its own SDK handler, which knows only this actor and the notifications of
 * the actor's workspace.
 */
export async function handleMessage(
  { ctx, eventStreams, writeLimit }: { ctx: Context; eventStreams: EventStreams; writeLimit: RateLimit },
  req: FastifyRequest<{ Querystring: { label?: string | undefined } }>,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const method = methodNameOf(req.body);
  req.countedAs = { method: mcpMethod, route: method };
  if (Array.isArray(req.body)) throw new AppError('bad_request', { text: 'Send one message at a time. Batches are not supported.' });

  const label = req.query.label ?? productionLabel;
  const call: McpCall = { ctx, actor: actorOf(req), writeLimit, label, servedPrompt: undefined, error: undefined };
  const notifier = createNotifier(label, method === 'subscriptions/listen' ? subscribedUris(req.body) : []);
  let reported: Error | undefined;
  const handler = createMcpHandler(({ era }) => buildServer(call, era), {
    bus: notifier.bus,
    // The SDK need not keep streams alive, because the service does.
    keepAliveMs: 0,
    onerror: (err) => {
      reported = err;
    },
  });
  const response = await handler.fetch(toWebRequest(req), { parsedBody: req.body });

  const { status, body, headers } = response;
  if (status >= 500) throw new AppError('internal', { cause: call.error ?? reported });
  if (method === 'subscriptions/listen' && body && headers.get('content-type')?.startsWith('text/event-stream')) {
    sendListenStream(req, reply, eventStreams, { call, notifier, handler, body });
    return undefined;
  }
  const sent = await response.text();
  const corrected = call.error === undefined ? correctInvalidParams(sent) : undefined;
  req.servedPrompt = call.servedPrompt;
  countError(req, corrected === undefined ? call.error : new AppError('invalid_input'));
  const text = corrected ?? sent;
  reply.status(status);
  if (text === '') return reply.send();
  return reply.header('content-type', `${headers.get('content-type') ?? 'application/json'}; charset=utf-8`).send(text);
}

/**
 * Records an error. The protocol sends most errors as messages with status 200, but the log and the statistics record the status that the
 * REST API would send.
 */
function countError(req: FastifyRequest, error: unknown): void {
  if (error === undefined) return;
  if (!(error instanceof AppError) || isTransient(error)) throw error;
  req.countedAs = { ...req.countedAs, status: error.status };
}

/** Converts a request to one for the SDK. The new request has only the protocol's own headers, so the SDK never sees the key. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-') || name === 'accept' || name === 'content-type');
  return new Request(`http://localhost${mcpPath}`, { method: 'POST', headers: own.map(([name, value]) => [name, String(value)]) });
}

/**
 * Reads the subscribed resources from a message that the SDK has not validated yet. The SDK will refuse anything that is not a list of
 * strings.
 */
function subscribedUris(message: unknown): string[] {
  // The message is an object, because it has a method.
  const { params } = message as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(uris)) return [];
  if (uris.length > maxSubscriptions) throw new AppError('bad_request', { text: `Subscribe to at most ${maxSubscriptions} resources` });
  return uris.filter((uri) => typeof uri === 'string');
}
