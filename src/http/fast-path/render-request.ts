import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { isLabel } from '../../contract/label-names.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import { renderVersionNow } from '../../domain/prompts/render/render.ts';
import { addBodyHeaders, formatHeaders, type PreparedResponse, toByteString } from '../responses/prepared-response.ts';
import { parseJson } from '../steps/body.ts';

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
/** Larger bodies wait in the queue of their workspace, so they are left to the route. */
const maxRenderBodyBytes = 32 * 1024;

/** Whether this is a render with a small body. Everything unusual is left to the route. */
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

/** Reads the whole body and keeps it with the request, also for the route. Never calls back if the client goes away. */
export function readBody(req: IncomingMessage, onEnd: () => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.once('end', () => {
    req.bodyRead = chunks[0] && chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    onEnd();
  });
}

/** A hook before parsing: gives a body that was read already to the parser. */
export function restoreBody({ raw }: FastifyRequest, _reply: FastifyReply, payload: RequestPayload, done: DoneWithPayload): void {
  done(null, raw.bodyRead ? Readable.from([raw.bodyRead]) : payload);
}

/** Prepares the response of a render, or returns undefined if the route has to. */
export type PrepareRenderResponse = (actor: Actor, url: string, body: Buffer) => PreparedResponse | undefined;

export function createRenderResponse(ctx: Context, commonHeaders: Record<string, string>): PrepareRenderResponse {
  const headers = formatHeaders(commonHeaders);

  return (actor, url, body) => {
    const segment = url.slice(prefix.length, -suffix.length);
    const name = segment.includes('/') || segment.includes('?') ? undefined : decode(segment);
    const request = name === undefined ? undefined : parseRequest(body);
    if (name === undefined || !request) return undefined;
    const { variables = {}, label, version } = request;
    const renderable = ctx.renderables.find(actor, name, { label, version });
    if (!renderable) return undefined;
    const json = renderVersionNow(ctx, actor, renderable, variables);
    if (json === undefined) return undefined;
    const bytes = toByteString(json);
    const { promptId, version: number, label: resolvedLabel } = renderable;
    const servedPrompt = { promptId, version: number, label: resolvedLabel };
    return { route: renderRoute, status: 200, headers: addBodyHeaders(headers, bytes.length), body: bytes, servedPrompt };
  };
}

interface RenderFields {
  variables?: Record<string, unknown>;
  label?: string | undefined;
  version?: number | undefined;
}

/** The fields of a valid request. The route says what is wrong with any other. */
function parseRequest(body: Buffer): RenderFields | undefined {
  const request = tryParse(body);
  if (!isObject(request)) return undefined;
  for (const field in request) if (field !== 'variables' && field !== 'label' && field !== 'version') return undefined;
  const { variables, label, version } = request;
  if (variables !== undefined && !isObject(variables)) return undefined;
  if (label !== undefined && !(typeof label === 'string' && isLabel(label))) return undefined;
  if (version !== undefined && !(typeof version === 'number' && Number.isSafeInteger(version))) return undefined;
  return { ...(variables && { variables }), label, version };
}

function tryParse(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
