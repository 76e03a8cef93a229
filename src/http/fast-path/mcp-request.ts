import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { productionLabel } from '../../contract/label-names.ts';
import { labelPattern as labelPatternText } from '../../contract/limits.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import { renderContentNow } from '../../domain/prompts/render.ts';
import { toVariables } from '../mcp/arguments.ts';
import { toPromptResult } from '../mcp/messages.ts';
import { mcpMethod, mcpPath } from '../mcp/methods.ts';
import { serverInfo } from '../mcp/server-info.ts';
import { parseJson } from '../steps/body.ts';
import { addBodyHeaders, formatHeaders, type PreparedResponse, toByteString } from './prepared-response.ts';
import { maxBodyBytes } from './render-request.ts';

const method = 'prompts/get';
const methodBytes = Buffer.from(`"${method}"`);
const modernRevision = '2026-07-28';
const earlierRevisions = new Set(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
const metaPrefix = 'io.modelcontextprotocol/';

/** Whether this may be a `prompts/get`, as far as one can tell before its body has arrived. Everything unusual is left to the route. */
export function isMcpRequest({ method: httpMethod, url = '', headers }: IncomingMessage): boolean {
  return (
    httpMethod === 'POST' &&
    (url === mcpPath || url.startsWith(`${mcpPath}?`)) &&
    headers['content-type'] === 'application/json' &&
    Number(headers['content-length']) <= maxBodyBytes &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    headers.origin === undefined
  );
}

/** Prepares the response of a `prompts/get`, or returns undefined if the route has to. */
export type PrepareMcpResponse = (actor: Actor, req: IncomingMessage, body: Buffer) => PreparedResponse | undefined;

/**
 * The SDK of the protocol takes several times as long as a render, and clients get prompts far more often than anything else. So an
 * ordinary `prompts/get` that can be answered at once is, with the bytes that the SDK would send; a test compares the two.
 */
export function createMcpResponse(ctx: Context, commonHeaders: Record<string, string>): PrepareMcpResponse {
  const headers = formatHeaders(commonHeaders);

  return (actor, { url = '', headers: requestHeaders }, body) => {
    const label = readLabel(url);
    const request = label === undefined ? undefined : parseRequest(body);
    const era = request && findEra(requestHeaders, request);
    if (label === undefined || !request || !era) return undefined;
    const renderable = ctx.renderables.find(actor, request.name, { label });
    const variables = renderable && tryToVariables(renderable.declared, request.arguments);
    const rendered = variables && renderContentNow(ctx, actor, renderable, variables);
    if (!rendered) return undefined;
    const result = toPromptResult(renderable.description, rendered);
    const { type, text } = formatters[era](result, request.id);
    const bytes = toByteString(text);
    const { promptId, version, label: resolvedLabel } = renderable;
    return {
      method: mcpMethod,
      route: method,
      status: 200,
      headers: addBodyHeaders(headers, bytes.length, type),
      body: bytes,
      servedPrompt: { promptId, version, label: resolvedLabel },
    };
  };
}

/** What every result of the modern form ends with. A result has fields of its own before it. */
const modernEnd = `,${JSON.stringify({ resultType: 'complete', _meta: { [`${metaPrefix}serverInfo`]: serverInfo } }).slice(1)}`;

const formatters = {
  modern: (result: object, id: unknown) => ({
    type: 'application/json; charset=utf-8',
    text: toJson(JSON.stringify(result).slice(0, -1) + modernEnd, id),
  }),
  legacy: (result: object, id: unknown) => ({
    type: 'text/event-stream; charset=utf-8',
    text: `event: message\ndata: ${toJson(JSON.stringify(result), id)}\n\n`,
  }),
};

function toJson(result: string, id: unknown): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

const labelPattern = new RegExp(labelPatternText);

function readLabel(url: string): string | undefined {
  if (url === mcpPath) return productionLabel;
  const prefix = `${mcpPath}?label=`;
  const label = url.startsWith(prefix) ? url.slice(prefix.length) : '';
  return labelPattern.test(label) ? label : undefined;
}

interface PromptRequest {
  id: string | number;
  name: string;
  arguments: Record<string, string>;
  meta: unknown;
}

/** The fields of a valid request. The route says what is wrong with any other. */
function parseRequest(body: Buffer): PromptRequest | undefined {
  const message = body.includes(methodBytes) ? tryParse(body) : undefined;
  if (!isObject(message) || !hasOnly(message, messageFields)) return undefined;
  const { jsonrpc, id, params } = message;
  if (jsonrpc !== '2.0' || message.method !== method || !(typeof id === 'string' || Number.isSafeInteger(id))) return undefined;
  if (!isObject(params) || !hasOnly(params, paramFields)) return undefined;
  const { name, arguments: given = {}, _meta: meta } = params;
  if (typeof name !== 'string' || !isObject(given)) return undefined;
  for (const argument in given) if (typeof given[argument] !== 'string') return undefined;
  // Checked in the lines above.
  return { id: id as string | number, name, arguments: given as Record<string, string>, meta };
}

const messageFields = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramFields = new Set(['name', 'arguments', '_meta']);
const revisionField = `${metaPrefix}protocolVersion`;
const capabilitiesField = `${metaPrefix}clientCapabilities`;
const infoField = `${metaPrefix}clientInfo`;
const metaFields = new Set([revisionField, capabilitiesField, infoField]);

/** Which of the two forms of the protocol the request has, if it has all that belongs to one of them. */
function findEra(headers: IncomingHttpHeaders, { name, meta }: PromptRequest): keyof typeof formatters | undefined {
  const revision = headers['mcp-protocol-version'];
  if (meta === undefined) {
    const { accept = '' } = headers;
    const isKnown = revision === undefined || (typeof revision === 'string' && earlierRevisions.has(revision));
    return isKnown && accept.includes('application/json') && accept.includes('text/event-stream') ? 'legacy' : undefined;
  }
  // A name that looks encoded is decoded by the SDK.
  const isNamed = headers['mcp-method'] === method && headers['mcp-name'] === name && !name.startsWith('=?');
  return revision === modernRevision && isNamed && isModernMeta(meta) ? 'modern' : undefined;
}

function isModernMeta(meta: unknown): boolean {
  if (!isObject(meta) || !hasOnly(meta, metaFields) || meta[revisionField] !== modernRevision) return false;
  const { [capabilitiesField]: capabilities, [infoField]: info } = meta;
  const isNamed = info === undefined || (isObject(info) && typeof info.name === 'string' && typeof info.version === 'string');
  return isNamed && isObject(capabilities) && Object.values(capabilities).every(isObject);
}

function tryToVariables(...args: Parameters<typeof toVariables>): Record<string, unknown> | undefined {
  try {
    return toVariables(...args);
  } catch {
    return undefined;
  }
}

function tryParse(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function hasOnly(value: Record<string, unknown>, fields: ReadonlySet<string>): boolean {
  for (const field in value) if (!fields.has(field)) return false;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
