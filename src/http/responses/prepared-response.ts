import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedPrompt } from '../../domain/statistics/counters.ts';

/** A response in the form that Node can send fastest. It can be cached and sent many times. */
export interface PreparedResponse {
  /** The route's pattern, for the log and the statistics. */
  readonly route: string;
  readonly status: number;
  readonly headers: FlatHeaders;
  /**
   * A latin1 string with one character per byte, so that Node sends it without encoding it and in one write with the headers. A large body
   * is a buffer, which is not copied for each response.
   */
  readonly body: string | Buffer;
  readonly servedPrompt: ServedPrompt | undefined;
}

/** A response above this size counts as large, because copying it to the operating system takes as long as several other requests. */
const largeResponseBytes = 64 * 1024;

export function isLarge({ body }: PreparedResponse): boolean {
  return body.length > largeResponseBytes;
}

/** A list in which names and values of headers alternate. The first header is the request id, whose value is set for each response. */
export type FlatHeaders = string[];

export function formatHeaders(headers: Record<string, string>): FlatHeaders {
  return ['x-request-id', '', ...Object.entries(headers).flat()];
}

type ResponseOptions = Omit<PreparedResponse, 'body'> & { json?: string };

export function prepareResponse({ route, status, headers, json, servedPrompt }: ResponseOptions): PreparedResponse {
  if (json === undefined) return { route, status, headers, body: '', servedPrompt };
  const body = json.length > largeResponseBytes ? Buffer.from(json) : toByteString(json);
  return { route, status, headers: addBodyHeaders(headers, body.length), body, servedPrompt };
}

export function addBodyHeaders(headers: FlatHeaders, length: number): FlatHeaders {
  return [...headers, 'content-type', 'application/json; charset=utf-8', 'content-length', String(length)];
}

/** Sends a prepared response without Fastify. */
export function writeResponse(res: ServerResponse, { status, headers, body }: PreparedResponse, requestId: string): void {
  headers[1] = requestId;
  res.writeHead(status, headers);
  res.end(body, 'latin1');
}

/** Sends a prepared response from a route. */
export function sendPrepared(req: FastifyRequest, reply: FastifyReply, response: PreparedResponse): FastifyReply {
  const { status, headers, body, servedPrompt } = response;
  req.servedPrompt = servedPrompt;
  reply.status(status);
  // The loop skips the request id, which `receive.ts` has already set.
  for (let index = 2; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
  if (status === 304) return reply.send();
  return reply.send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
}

export function toByteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
