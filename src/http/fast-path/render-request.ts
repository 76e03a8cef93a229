import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { RenderRequest } from '../../contract/render.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import { renderVersionNow } from '../../domain/prompts/render/render.ts';
import { listSent } from '../../domain/statistics/render-errors.ts';
import { tryTo } from '../../platform/try-to.ts';
import { parseJson } from '../middleware/body.ts';
import { createCheck } from '../middleware/validation.ts';
import { formatHeaders, type PreparedResponse, prepareResponse } from '../responses/prepared-response.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The body, if the fast path has read it. */
    bodyRead?: Buffer;
  }
}

type DoneWithPayload = (err: Error | null, payload: RequestPayload) => void;

const renderRoute = '/api/prompts/:name/render';

const prefix = '/api/prompts/';
const suffix = '/render';
/** The maximum size of a body that the fast path reads. Larger bodies wait in the workspace's queue, so the route handles them. */
const maxRenderBodyBytes = 32 * 1024;

/** Returns whether this is a render request with a small body. The route handles all unusual requests. */
export function isRenderRequest({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url.startsWith(prefix) &&
    url.endsWith(suffix) &&
    headers['content-type'] === 'application/json' &&
    Number(headers['content-length']) <= maxRenderBodyBytes &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}

/**
 * Reads the whole body and keeps it with the request, so that the route can use it too. If the client disconnects, `onEnd` is never called.
 */
export function readBody(req: IncomingMessage, onEnd: () => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.once('end', () => {
    req.bodyRead = chunks[0] && chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    onEnd();
  });
}

/** A preParsing hook. If the body was already read, passes it to the parser. */
export function restoreBody({ raw }: FastifyRequest, _reply: FastifyReply, payload: RequestPayload, done: DoneWithPayload): void {
  done(null, raw.bodyRead ? Readable.from([raw.bodyRead]) : payload);
}

/** Prepares the response of a render, or returns undefined if the route has to handle the request. */
export type PrepareRenderResponse = (actor: Actor, url: string, body: Buffer) => PreparedResponse | undefined;

export function createRenderResponse(ctx: Context, commonHeaders: Record<string, string>): PrepareRenderResponse {
  const headers = formatHeaders(commonHeaders);
  const isValid = createCheck(RenderRequest);

  return (actor, url, body) => {
    const segment = url.slice(prefix.length, -suffix.length);
    const name = segment.includes('/') || segment.includes('?') ? undefined : tryTo(() => decodeURIComponent(segment));
    const request = name === undefined ? undefined : tryTo(() => parseJson(body));
    // The route handles an invalid request, because it can explain what is wrong.
    if (name === undefined || !isValid(request)) return undefined;
    const { variables = {}, feedbackToken, key, context, ...choice } = request;
    if (feedbackToken) return undefined;
    const renderable = ctx.renderables.find(actor, name, choice, { key, context });
    if (!renderable) return undefined;
    const json = renderVersionNow(ctx, actor, renderable, variables);
    if (json === undefined) return undefined;
    const { promptId, version, label, release } = renderable;
    const servedPrompt = { promptId, version, label, release, key, sent: listSent(renderable, variables) };
    return prepareResponse({ route: renderRoute, status: 200, headers, json, servedPrompt });
  };
}
