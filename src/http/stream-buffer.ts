import type { ServerResponse } from 'node:http';
import { byteLimits } from '../platform/scheduling/limits.ts';

/** The buffers of all streams, which share a limit. */
export type StreamBuffers = ReturnType<typeof createStreamBuffers>;

/** The maximum number of bytes that each stream may buffer while all buffers together exceed their limit. */
const fairBytes = 8 * 1024;
const littleBytes = 4 * 1024;
/** The approximate memory of a string that waits to be sent, in addition to its characters. */
const overheadBytes = 500;

/** Limits the memory that the service uses for streams whose clients read slowly or not at all. */
export function createStreamBuffers(limits = byteLimits.eventStreams) {
  let heldByAll = 0;

  return {
    open(res: ServerResponse) {
      let held = 0;
      let whenDrained: (() => void)[] = [];

      function count(bytes: number): void {
        held += bytes;
        heldByAll += bytes;
        if (held > littleBytes) return;
        for (const resolve of whenDrained) resolve();
        whenDrained = [];
      }

      res.once('close', () => count(-held));

      return {
        /** Sends text after all earlier text. Closes the connection if the client is too far behind. */
        write(text: string): void {
          if (res.destroyed || res.writableEnded) return;
          const bytes = text.length + overheadBytes;
          count(bytes);
          // When the response is closed, all its memory is released.
          res.write(text, () => res.destroyed || count(-bytes));
          if (held > limits.perTenant || (heldByAll > limits.total && held > fairBytes)) res.destroy();
        },
        /** Resolves when most of the data has been sent, or when the connection is closed. */
        async drained(): Promise<void> {
          if (held <= littleBytes || res.destroyed) return;
          await new Promise<void>((resolve) => void whenDrained.push(resolve));
        },
        isEmpty: () => held === 0,
      };
    },
  };
}
