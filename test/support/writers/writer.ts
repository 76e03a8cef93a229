import { type ApiResponse, call, type RequestOptions } from '../client.ts';

export interface Target {
  url: string;
}

/** Makes changes of one kind, one after the other, and remembers what was acknowledged. */
export interface Writer {
  kind: string;
  /** Makes one change. Rejects with `OutcomeUnknown` when nobody knows whether it happened; then `verify` comes next. */
  write(target: Target): Promise<void>;
  /** What is wrong with what is stored. From then on, what it found is what is known. */
  verify(target: Target): Promise<string[]>;
}

/** There was no response, or one that says that the database was away. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
  readonly isUnavailable: boolean;

  constructor(message: string, { isUnavailable = false, cause }: { isUnavailable?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isUnavailable = isUnavailable;
  }
}

// Longer than the service ever lets a caller wait, pauses included.
const giveUpMs = 20_000;

/** The response to a request that succeeded. */
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

/** Writes until a response is missing. Rejects at a response that nobody expects. */
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
