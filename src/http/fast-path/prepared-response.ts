import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedPrompt } from '../../domain/statistics/hourly-counts.ts';

/** A response in the form that Node sends fastest, prepared once and sent many times. */
export interface PreparedResponse {
  /** The pattern of the route that it belongs to. */
  readonly route: string;
  readonly status: number;
  readonly headers: FlatHeaders;
  /** The bytes of the body, one per character, so that Node neither encodes them again nor sends them apart from the headers. */
  readonly body: string;
  readonly servedPrompt: ServedPrompt | undefined;
}

/** Names and values in turn. The first is the request id, whose value is set at each send. */
export type FlatHeaders = string[];

export function formatHeaders(headers: Record<string, string>): FlatHeaders {
  return ['x-request-id', '', ...Object.entries(headers).flat()];
}

export interface ResponseOptions {
  route: string;
  status: number;
  headers: FlatHeaders;
  json?: string;
  servedPrompt?: ServedPrompt | undefined;
}

export function prepareResponse({ route, status, headers, json, servedPrompt }: ResponseOptions): PreparedResponse {
  if (json === undefined) return { route, status, headers, body: '', servedPrompt };
  const body = toByteString(json);
  return { route, status, headers: addBodyHeaders(headers, body.length), body, servedPrompt };
}

export function addBodyHeaders(headers: FlatHeaders, length: number): FlatHeaders {
  return [...headers, 'content-type', 'application/json; charset=utf-8', 'content-length', String(length)];
}

/** Sends it without Fastify. */
export function writeResponse(res: ServerResponse, { status, headers, body }: PreparedResponse, requestId: string): void {
  headers[1] = requestId;
  res.writeHead(status, headers);
  res.end(body, 'latin1');
}

/** Sends it through Fastify, from a route. */
export function sendPrepared(
  req: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, servedPrompt }: PreparedResponse,
): FastifyReply {
  req.servedPrompt = servedPrompt;
  reply.status(status);
  // The request id, which comes first, is set already.
  for (let index = 2; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
  return status === 304 ? reply.send() : reply.send(Buffer.from(body, 'latin1'));
}

export function toByteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
