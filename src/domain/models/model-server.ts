import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { Context } from '../context.ts';
import type { OutboundResponse } from '../outbound/outbound.ts';
import { openConnectionKey } from './connection-keys.ts';
import { createRedactor, noRedaction, type RedactedStream } from './redaction.ts';

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
  /** The same for an output that comes in pieces. */
  openRedaction(): RedactedStream;
}

interface ModelRequest {
  path: '/models' | '/chat/completions';
  /** Sent as JSON with POST. Without it, the request is a GET. */
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const minSecretLength = 16;
/** Parts of a key that are at least this long are secret, too. Shorter ones may be words, or the prefix that all keys of a provider have. */
const minPartLength = (key: string) => Math.min(16, Math.ceil(key.length / 2));

export function openModelServer(
  ctx: Pick<Context, 'keyring' | 'outbound'>,
  workspaceId: string,
  connection: ConnectionRecord,
): ModelServer {
  const key = openConnectionKey(ctx, workspaceId, connection);
  const isSecret = key !== undefined && key.length >= minSecretLength;
  const redactor = key === undefined ? noRedaction : createRedactor(key, isSecret ? minPartLength(key) : key.length);
  const outputRedactor = isSecret ? redactor : noRedaction;
  return {
    workspaceId,
    host: new URL(connection.baseUrl).host,
    hasKey: key !== undefined,
    redact: redactor.redact,
    redactOutput: outputRedactor.redact,
    openRedaction: outputRedactor.open,
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
