export type OutboundErrorKind = 'blocked' | 'unknown_host' | 'refused' | 'timeout' | 'tls' | 'network';

/** A request to another server that got no response. The message may be shown to the user who entered the URL. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Turns an error of a socket into one that says in words what happened. */
export function toOutboundError(err: unknown, { host, timeoutMs }: { host: string; timeoutMs: number }): OutboundError {
  if (err instanceof OutboundError) return err;
  const code = err instanceof Error && 'code' in err ? String(err.code) : '';
  const options = { cause: err };
  if (code === 'ECONNREFUSED') return new OutboundError('refused', `${host} refused the connection`, options);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new OutboundError('unknown_host', `There is no host ${host}`, options);
  if (code === 'ETIMEDOUT' || (err instanceof Error && err.name === 'TimeoutError')) {
    return new OutboundError('timeout', `${host} did not respond within ${timeoutMs / 1000} seconds`, options);
  }
  if (/EPROTO|CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new OutboundError('tls', `The TLS certificate of ${host} is not valid, or it does not speak TLS (${code})`, options);
  }
  return new OutboundError('network', `The connection to ${host} was lost${code && ` (${code})`}`, options);
}
