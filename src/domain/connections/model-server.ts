import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import type { ChatPart } from '../runs/chat-parts.ts';
import type { ChatCall } from '../runs/protocols/protocol.ts';
import { protocols } from '../runs/protocols/protocols.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';
import { createRedactor, noRedaction } from './redaction.ts';

export interface ChatLimits {
  /** The timeout of the whole completion. */
  timeoutMs: number;
  /** The maximum time between two bytes from the server. */
  idleTimeoutMs: number;
  /** The delay before the first retry at a busy server. The second delay is twice as long. */
  retryMs: number;
}

export type ModelServer = ReturnType<typeof openModelServer>;

interface ChatCallOptions {
  signal: AbortSignal;
  limits: ChatLimits;
  onParts(parts: ChatPart[]): Promise<void>;
}

const testTimeoutMs = 15_000;
const minSecretLength = 16;
/** Parts of a key that are at least this long are secret too. Shorter parts may be words, or the common prefix of a provider's keys. */
const minPartLength = (key: string) => Math.min(16, Math.ceil(key.length / 2));

/** Returns access to the server behind a connection. */
export function openModelServer(ctx: WithKeyring & WithOutbound, workspaceId: string, connection: ConnectionRecord) {
  const { id, kind, baseUrl, key: sealed } = connection;
  const protocol = protocols[kind];
  const key = sealed ? ctx.keyring.get(sealed.cipher, secretOwners.connection(workspaceId, id, baseUrl)) : undefined;
  const isSecret = key !== undefined && key.length >= minSecretLength;
  const redactor = key === undefined ? noRedaction : createRedactor(key, isSecret ? minPartLength(key) : key.length);
  const outputRedactor = isSecret ? redactor : noRedaction;
  const toRequest = (path: string, body?: string) => ({
    workspaceId,
    url: baseUrl + path,
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    headers: {
      accept: body === undefined ? 'application/json' : 'text/event-stream, application/json',
      'user-agent': 'PromptHarbor',
      ...protocol.toHeaders(key),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    },
    body,
  });
  return {
    host: new URL(baseUrl).host,
    hasKey: key !== undefined,
    protocol,
    /** Removes the key from text that the server sends, because the server might repeat what it received. */
    redact: redactor.redact,
    /**
     * Removes the key from the output of a model. A short key such as "ollama" is not removed, because it is an ordinary word in an output.
     */
    redactOutput: outputRedactor.redact,
    /** Like `redactOutput`, for an output that arrives in parts. */
    openRedaction: outputRedactor.open,
    listModels: () => ctx.outbound.listModels({ ...toRequest(protocol.modelsPath), modelKind: kind, timeoutMs: testTimeoutMs }),
    /** Requests a completion, and returns only its status and error text. */
    tryChat: ({ path, body }: ChatCall) => ctx.outbound.request({ ...toRequest(path, JSON.stringify(body)), timeoutMs: testTimeoutMs }),
    /** Requests a completion, and passes its parts to `onParts`. */
    chat: ({ path, body }: ChatCall, { signal, limits: { timeoutMs, idleTimeoutMs }, onParts }: ChatCallOptions) =>
      ctx.outbound.chat({ ...toRequest(path, JSON.stringify(body)), modelKind: kind, timeoutMs, idleTimeoutMs }, { signal, onParts }),
  };
}
