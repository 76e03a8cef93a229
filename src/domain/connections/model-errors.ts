import type { RunError } from '../../contract/runs.ts';
import type { OutboundError, OutboundErrorKind } from '../outbound/outbound-error.ts';
import { readMessage } from '../runs/chat-parts.ts';
import { describeUnknownProtocol, toProtocolHint } from '../runs/protocols/protocol.ts';
import { parseRetryAfter } from '../webhooks/retry-schedule.ts';
import type { ModelServer } from './model-server.ts';

const maxMessageLength = 2000;
/** The maximum length of a message that is read. It exceeds `maxMessageLength`, so that enough text remains after keys are replaced. */
const maxReadLength = 16 * 1024;
const sampleLength = 100;

/** A failed request to a model, with a message for users. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly error: RunError;

  constructor(code: RunError['code'], message: string, fields: Partial<Pick<RunError, 'status' | 'retryAfterSeconds'>> = {}) {
    super(message);
    this.error = { code, message, status: null, retryAfterSeconds: null, ...fields };
  }
}

/** Creates the error for a response that is missing or incomplete. */
export function fromOutboundError(
  { kind, message, sample }: OutboundError,
  { host, redact }: Pick<ModelServer, 'host' | 'redact'>,
): ModelError {
  if (kind === 'invalid') {
    const sent = sample === undefined ? '' : `: ${JSON.stringify(redact(sample).slice(0, sampleLength))}`;
    return new ModelError('invalid_response', message + sent);
  }
  if (kind === 'too_long') return new ModelError('too_long', message);
  const hint = kind === 'refused' && !isLoopback(host) ? undefined : hints[kind];
  return new ModelError(kind === 'timeout' ? 'timeout' : 'unreachable', `${message}.${hint === undefined ? '' : ` ${hint}`}`);
}

const hints: Partial<Record<OutboundErrorKind, string>> = {
  refused:
    'Is the server running? If PromptHarbor runs in a container, localhost is that container. Use host.docker.internal or the name of the other ' +
    'container instead, and add it to OUTBOUND_ALLOW.',
  unknown_host: 'If only your network knows this name, add it to OUTBOUND_ALLOW.',
  tls: 'If the server uses plain HTTP, enter an address that starts with http://.',
};

function isLoopback(host: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(host);
}

/** Creates the error for a response with an error status. The server's message is passed on unchanged. */
export function fromStatus(
  server: Pick<ModelServer, 'host' | 'hasKey' | 'redact' | 'protocol'>,
  { status, text, retryAfter, model }: { status: number; text: string; retryAfter?: string | undefined; model?: string | undefined },
): ModelError {
  const said = findMessage(text);
  const message = said === undefined ? '' : `: ${quote(said, server.redact)}`;
  const retryAfterMs = parseRetryAfter(retryAfter, new Date());
  const retryAfterSeconds = retryAfterMs === undefined ? null : Math.ceil(retryAfterMs / 1000);
  return new ModelError('rejected', `${describeStatus(server, { status, hasMessage: said !== undefined, model })}${message}`, {
    status,
    retryAfterSeconds,
  });
}

/** Creates the error for a response that does not follow the protocol of model servers. */
export function unknownProtocol(server: Pick<ModelServer, 'host' | 'protocol'>): ModelError {
  return new ModelError('invalid_response', describeUnknownProtocol(server, server.protocol));
}

function describeStatus(
  { host, hasKey, protocol }: Pick<ModelServer, 'host' | 'hasKey' | 'protocol'>,
  { status, hasMessage, model }: { status: number; hasMessage: boolean; model: string | undefined },
): string {
  if (status >= 300 && status < 400) return `${host} responded with a redirect (${status}), which is not followed`;
  if (status === 401 || status === 403) return hasKey ? `${host} rejected the key (${status})` : `${host} requires a key (${status})`;
  if (status === 404 && !hasMessage) return `${host} responded with 404: it ${toProtocolHint(protocol)}`;
  if (status === 404) return model === undefined ? `${host} responded with 404` : `${host} found no model “${model}” (404)`;
  if (status === 429) return `${host} has reached its rate limit (429)`;
  return `${host} responded with ${status}`;
}

/**
 * Finds the message in an error body that has one of the shapes that servers use. Returns undefined if the text has none of these shapes.
 */
function findMessage(text: string): string | undefined {
  try {
    return readMessage(JSON.parse(text));
  } catch {
    const plain = text.trim();
    return plain === '' || plain.startsWith('<') ? undefined : plain;
  }
}

/** Returns the beginning of a message from a server, without the key. */
export function quote(said: string, redact: ModelServer['redact']): string {
  const text = redact(said.slice(0, maxReadLength));
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}
