import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { Context } from '../context.ts';
import type { OutboundResponse } from '../outbound/outbound.ts';
import { openConnectionKey } from './connection-keys.ts';

/** The server behind a connection. */
export interface ModelServer {
  workspaceId: string;
  host: string;
  hasKey: boolean;
  send(request: ModelRequest): Promise<OutboundResponse>;
  /** Removes the key from a text of the server, which might repeat what it was sent. */
  redact(text: string): string;
  /** The same for what a model writes. There, a short key such as "ollama" is a word like any other, and stays. */
  redactOutput(text: string): string;
  /** How many characters at the end of an output may be the beginning of the key, whose rest is still to come. */
  countHeldBack(text: string): number;
}

interface ModelRequest {
  path: '/models' | '/chat/completions';
  /** Sent as JSON with POST. Without it, the request is a GET. */
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const minSecretLength = 16;

export function openModelServer(
  ctx: Pick<Context, 'keyring' | 'outbound'>,
  workspaceId: string,
  connection: ConnectionRecord,
): ModelServer {
  const key = openConnectionKey(ctx, workspaceId, connection);
  const redact = (text: string) => (key === undefined ? text : text.replaceAll(key, '[key]'));
  return {
    workspaceId,
    host: new URL(connection.baseUrl).host,
    hasKey: key !== undefined,
    redact,
    redactOutput: (text) => (isSecret(key) ? redact(text) : text),
    countHeldBack: (text) => (isSecret(key) ? countPrefixAtEnd(text, key) : 0),
    send({ path, body, timeoutMs, signal }) {
      const headers = {
        accept: body === undefined ? 'application/json' : 'text/event-stream, application/json',
        'user-agent': 'PromptHarbor',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      };
      const method = body === undefined ? 'GET' : 'POST';
      return ctx.outbound.send({ url: new URL(connection.baseUrl + path), method, headers, body, timeoutMs, signal });
    },
  };
}

function isSecret(key: string | undefined): key is string {
  return key !== undefined && key.length >= minSecretLength;
}

/** The length of the longest end of a text that is a beginning of the key, and not all of it. */
function countPrefixAtEnd(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length - 1); length > 0; length -= 1) {
    if (key.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
