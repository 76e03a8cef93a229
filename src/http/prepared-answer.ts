import type { ServerResponse } from 'node:http';
import type { Served } from './served.ts';

/** An answer laid out as Node sends it fastest, once for many sendings. */
export interface PreparedAnswer {
  /** The route that gave it. */
  readonly route: string;
  readonly status: number;
  readonly lines: HeaderLines;
  /** The body's bytes, a character each: so Node neither encodes them anew nor sends them apart from the headers. */
  readonly bytes: string;
  readonly served: Served | undefined;
}

/** Names and values in turn. The first is the request's id, which is filled in at each sending. */
export type HeaderLines = string[];

export interface AnswerParts {
  route: string;
  status: number;
  lines: HeaderLines;
  json?: string;
  served?: Served | undefined;
}

export function layOutHeaders(headers: Record<string, string>): HeaderLines {
  return ['x-request-id', '', ...Object.entries(headers).flat()];
}

export function prepareAnswer({ route, status, lines, json, served }: AnswerParts): PreparedAnswer {
  if (json === undefined) return { route, status, lines, bytes: '', served };
  const bytes = toBytes(json);
  return { route, status, lines: addBodyHeaders(lines, bytes.length), bytes, served };
}

export function addBodyHeaders(lines: HeaderLines, length: number): HeaderLines {
  return [...lines, 'content-type', 'application/json; charset=utf-8', 'content-length', String(length)];
}

/** Sends it without the framework. */
export function writeAnswer(res: ServerResponse, { status, lines, bytes }: PreparedAnswer, id: string): void {
  lines[1] = id;
  res.writeHead(status, lines);
  res.end(bytes, 'latin1');
}

export function toBytes(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
