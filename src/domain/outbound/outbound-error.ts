export type OutboundErrorKind =
  | 'blocked'
  | 'unknown_host'
  | 'refused'
  | 'timeout'
  | 'tls'
  | 'network'
  /** The response exceeds a limit. */
  | 'too_long'
  /** The response violates the protocol. */
  | 'invalid';

/** The error of a request to another server that got no usable response. The user who entered the URL may see the message. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;
  /** The beginning of an invalid response. It may repeat the key that was sent to the server, so remove the key before showing it. */
  readonly sample: string | undefined;

  constructor(kind: OutboundErrorKind, message: string, { sample, ...options }: ErrorOptions & { sample?: string | undefined } = {}) {
    super(message, options);
    this.kind = kind;
    this.sample = sample;
  }
}

/** Converts the error of a socket to an OutboundError whose message says what happened. */
export function toOutboundError(err: unknown, { host, timeoutMs }: { host: string; timeoutMs: number }): OutboundError {
  if (err instanceof OutboundError) return err;
  const code = err instanceof Error && 'code' in err ? String(err.code) : '';
  const options = { cause: err };
  if (code === 'ECONNREFUSED') return new OutboundError('refused', `${host} refused the connection`, options);
  if (unknownHostCodes.has(code)) return new OutboundError('unknown_host', `The host ${host} was not found`, options);
  if (code === 'ETIMEOUT') return new OutboundError('unknown_host', `The name servers for ${host} did not respond`, options);
  if (code === 'ETIMEDOUT' || (err instanceof Error && err.name === 'TimeoutError')) {
    return new OutboundError('timeout', `${host} did not respond within ${timeoutMs / 1000} seconds`, options);
  }
  if (/EPROTO|CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new OutboundError('tls', `The TLS certificate of ${host} is not valid, or the server does not use TLS (${code})`, options);
  }
  return new OutboundError('network', `The connection to ${host} was lost${code && ` (${code})`}`, options);
}

/** The error codes of system lookups and direct queries for a name that has no address. */
const unknownHostCodes = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'EBADRESP', 'EFORMERR']);
