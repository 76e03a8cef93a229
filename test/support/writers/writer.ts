import { type ApiResponse, call, type RequestOptions } from '../client.ts';

export interface Target {
  url: string;
}

/** Makes changes of one kind, one at a time, and keeps what was acknowledged. */
export interface Writer {
  kind: string;
  /** Makes one change. Rejects with `OutcomeUnknown` if it is unknown whether the change happened. In that case, call `verify` next. */
  write(target: Target): Promise<void>;
  /** Returns the differences between what is stored and what was acknowledged, and continues from what is stored. */
  verify(target: Target): Promise<string[]>;
}

/** The error for a request that got no response, or a response about an unavailable database. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
  readonly isUnavailable: boolean;

  constructor(message: string, { isUnavailable = false, cause }: { isUnavailable?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isUnavailable = isUnavailable;
  }
}

// Clients give up after this time, which is longer than the service ever makes a caller wait, even when it is paused.
const giveUpMs = 20_000;

/** Sends a request, which must succeed, and returns its response. */
export async function request(target: Target, method: string, path: string, options: RequestOptions): Promise<ApiResponse> {
  let response: ApiResponse;
  try {
    response = await call(target, method, path, { ...options, signal: AbortSignal.timeout(giveUpMs) });
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError') throw new Error(`${method} ${path}: no response within ${giveUpMs} ms`);
    throw new OutcomeUnknown(`${method} ${path}`, { cause });
  }
  if (response.status === 503) throw new OutcomeUnknown(`${method} ${path}: 503`, { isUnavailable: true });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response;
}

/** Writes until an outcome is unknown. Rejects at an unexpected response. */
export async function writeUntilLost(writer: Writer, target: Target, onAcknowledged: (writer: Writer) => void): Promise<void> {
  for (;;) {
    try {
      await writer.write(target);
    } catch (err) {
      if (err instanceof OutcomeUnknown) return;
      throw err;
    }
    onAcknowledged(writer);
  }
}
