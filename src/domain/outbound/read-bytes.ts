import type { Holding } from '../../platform/scheduling/byte-budget.ts';

const firstBytes = 4096;

/**
 * Reads at most `maxBytes` of a body into one buffer, and closes the connection. Chunks are copied and not kept, because each chunk would
 * keep in memory the whole buffer into which it was read, and a server may send one byte at a time.
 */
export async function readBytes(
  body: AsyncIterable<Buffer>,
  { maxBytes, memory }: { maxBytes: number; memory?: Holding | undefined },
): Promise<Buffer> {
  let buffer = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of body) {
    const end = Math.min(length + chunk.length, maxBytes);
    if (end > buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * buffer.length, end, firstBytes), maxBytes));
      memory?.set(grown.length);
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    chunk.copy(buffer, length, 0, end - length);
    length = end;
    if (length >= maxBytes) break;
  }
  return buffer.subarray(0, length);
}
