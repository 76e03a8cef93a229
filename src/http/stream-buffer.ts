import type { ServerResponse } from 'node:http';
import { byteLimits } from '../platform/scheduling/limits.ts';

/** Buffers what was sent on a stream until its client reads it. */
interface StreamBuffer {
  /** Sends a text after the earlier ones. Closes the connection if the client is too far behind. */
  write(text: string): void;
  /** Resolves when little is left to send, or when the connection is closed. */
  drained(): Promise<void>;
  isEmpty(): boolean;
  /** Ends the response after everything that was sent. */
  end(): void;
}

/** The buffers of all streams, which share a limit. */
export interface StreamBuffers {
  open(res: ServerResponse): StreamBuffer;
}

/** What each stream may buffer while all buffers together exceed their limit. */
const fairLength = 8 * 1024;
const littleLength = 4 * 1024;

/**
 * Buffers text for streams whose clients are slow: a write to a busy connection allocates several objects, while a buffered text takes
 * only its own memory. Buffered text is written after the connection has taken the write before it.
 */
export function createStreamBuffers(limits = byteLimits.eventStreams): StreamBuffers {
  let heldByAll = 0;

  return {
    open(res) {
      /** The length of what was handed to the connection. `waiting` is written after it. */
      let writing = 0;
      let waiting: string[] = [];
      let waitingLength = 0;
      let whenDrained: (() => void)[] = [];

      function count(length: number): void {
        heldByAll += length;
      }

      function settle(): void {
        for (const resolve of whenDrained) resolve();
        whenDrained = [];
      }

      function takeWaiting(): string {
        const text = waiting.join('');
        waiting = [];
        writing += waitingLength;
        waitingLength = 0;
        return text;
      }

      function flush(): void {
        if (res.destroyed || res.writableEnded) return;
        res.write(takeWaiting(), () => {
          count(-writing);
          writing = 0;
          if (waitingLength > 0) flush();
          else settle();
        });
      }

      res.once('close', () => {
        count(-writing - waitingLength);
        writing = 0;
        waitingLength = 0;
        waiting = [];
        settle();
      });

      return {
        write(text) {
          if (res.destroyed || res.writableEnded) return;
          waiting.push(text);
          waitingLength += text.length;
          count(text.length);
          if (writing === 0) flush();
          const own = writing + waitingLength;
          if (own > limits.perTenant || (heldByAll > limits.total && own > fairLength)) res.destroy();
        },
        async drained() {
          if (writing + waitingLength <= littleLength || res.destroyed) return;
          await new Promise<void>((resolve) => void whenDrained.push(resolve));
        },
        isEmpty: () => writing === 0,
        end() {
          if (!res.destroyed && !res.writableEnded) res.end(takeWaiting());
        },
      };
    },
  };
}
