import type { ServerResponse } from 'node:http';
import type { Served } from './served.ts';

/** An answer that is sent many times, with everything laid out once. */
export interface PreparedAnswer {
  /** The route that gave it. */
  readonly route: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The same headers as Node takes them fastest, names and values in turn. The first is the request's id, filled in at each sending. */
  readonly lines: string[];
  /** The body's bytes, a character each: so Node neither encodes them anew nor sends them apart from the headers. */
  readonly bytes: string;
  readonly served: Served | undefined;
}

export interface AnswerParts {
  route: string;
  status: number;
  headers: Record<string, string>;
  json?: string;
  served?: Served | undefined;
}

export function prepareAnswer({ route, status, headers: given, json, served }: AnswerParts): PreparedAnswer {
  const bytes = json === undefined ? '' : Buffer.from(json).toString('latin1');
  const ofBody = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(bytes.length) };
  const headers = json === undefined ? given : { ...given, ...ofBody };
  return { route, status, headers, lines: ['x-request-id', '', ...Object.entries(headers).flat()], bytes, served };
}

/** Sends it without the framework. */
export function writeAnswer(res: ServerResponse, { status, lines, bytes }: PreparedAnswer, id: string): void {
  lines[1] = id;
  res.writeHead(status, lines);
  res.end(bytes, 'latin1');
}
